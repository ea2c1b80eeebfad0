"""What cannot be corrected is refused, and the refusal says why."""

from __future__ import annotations

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, Redo, ThinkAgain, Undo
from rollbook.domain.entries import Entry, EntryKind, Intent, SecondThought, recorded
from rollbook.domain.events import HitPointsCorrected
from tests.support.toy_table import ToyTable, lost


def test_final_actions_refuse() -> None:
    table = ToyTable()
    card = table.do("x-card").action
    for action in (1, 8, card):
        for change in (Undo(), Amend({})):
            with pytest.raises(Refused, match="cannot be undone or changed"):
                table.preview({action: change})


def test_what_was_undone_cannot_be_undone_and_what_counts_cannot_be_redone() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    with pytest.raises(Refused, match="has not been undone"):
        table.preview({wound: Redo()})
    table.undo(wound)
    for change in (Undo(), Amend({"by": 1}), ThinkAgain(SecondThought(kind="reroll"))):
        with pytest.raises(Refused, match=f"rollbook redo {wound}"):
            table.preview({wound: change})
    with pytest.raises(Refused, match="Nothing was named"):
        table.preview({})


@pytest.mark.parametrize("change", [Undo(), Redo(), Amend({}), Redo(1)])
def test_an_action_that_never_was_is_not_found(change: Undo | Redo | Amend) -> None:
    for action in (0, -1, 99):
        with pytest.raises(NotFound, match="There is no action"):
            ToyTable().preview({action: change})


def test_a_revision_that_never_was_is_not_found() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    table.undo(wound)
    for revision in (2, 7):
        with pytest.raises(NotFound, match=f"no outcome with revision {revision}"):
            table.preview({wound: Redo(revision)})


def test_an_amendment_the_verb_does_not_know_is_refused() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    with pytest.raises(Refused, match="parameter of adjust"):
        table.preview({wound: Amend({"buy": 3})})
    with pytest.raises(Refused, match="whole number"):
        table.preview({wound: Amend({"by": "three"})})


def test_what_was_imported_can_be_undone_but_not_amended() -> None:
    table = ToyTable()
    wound = HitPointsCorrected(character="robin", amount=-3, reason="told")
    action = table.history.actions + 1
    told = Entry(EntryKind.TAKEN, action, (wound,), intent=Intent(verb="avrae"), provenance="imported")
    table.history.add(recorded(told, table.history.head + 1))
    with pytest.raises(Refused, match="was imported as an event"):
        table.preview({told.action: Amend({})})
    table.undo(told.action)
    assert lost(table.state, "robin") == 0
    table.redo(told.action)
    assert lost(table.state, "robin") == 3
