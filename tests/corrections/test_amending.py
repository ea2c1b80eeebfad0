"""An amended action is played again with other parameters, builds on the outcome that counts, and stays its seat's."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Amend
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, lost


def test_amending_builds_on_the_outcome_that_counts() -> None:
    table = ToyTable()
    attack = table.do("adjust", who="robin", what="hp", by=-1, reason="first").action
    table.amend(attack, who="marian")
    table.redo(attack, 1)
    table.amend(attack, by=-2)
    assert (lost(table.state, "robin"), lost(table.state, "marian")) == (2, 0)


def test_an_action_stays_its_seats_however_often_the_gm_corrects_it() -> None:
    table = ToyTable()
    roll = table.do("roll", seat="mira", expression="1d20").action
    faces = rolls(table.history.entries[-1])[0].dice
    table.amend(roll, expression="1d20 + 5")
    table.amend(roll, expression="1d20 + 7")
    outcome = table.history.latest_outcome(roll)
    assert rolls(outcome)[0].roller == "mira"
    assert rolls(outcome)[0].dice == faces
    with pytest.raises(Refused, match="mira cannot act for them"):
        table.preview({roll: Amend({"who": "guard"})})


def test_a_note_that_is_amended_to_the_gm_is_the_gms() -> None:
    table = ToyTable()
    note = table.do("note", text="the duke did it").action
    table.amend(note, to="gm")
    assert table.history.entries[-1].visibility == "gm"
    table.amend(note, to="table")
    assert table.history.entries[-1].visibility == ""
    behind = table.do("gain-token", who="guard", secret=True).action
    table.amend(behind, who="robin")
    assert table.history.entries[-1].visibility == "gm"


def test_an_amendment_to_what_it_is_is_refused_when_it_is_applied(campaign: Campaign) -> None:
    scene = campaign.do("scene", title="the mill").action
    made = campaign.corrections.amend(scene, {"title": "the mill"}, reason="so")
    with pytest.raises(Refused, match=f"#{scene} would stay just what it is, so there is nothing to amend"):
        made.apply()
    assert campaign.head.entry == made.base
