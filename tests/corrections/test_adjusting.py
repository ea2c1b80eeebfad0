"""A number on a sheet is adjusted in the action where it belongs."""

from __future__ import annotations

import pytest

from domain.corrections import Adjustment, Amend
from domain.errors import NotFound, Refused
from tests.support.toy_table import ToyTable, lost


def test_an_adjustment_is_played_in_the_action_that_it_belongs_to() -> None:
    table = ToyTable()
    note = table.do("note", text="the ford").action
    table.do("gain-token", who="robin")
    wrong = Adjustment(who="robin", what="hp", by=-4)
    table.corrected({note: Amend(adjustments=(wrong,))})
    assert lost(table.history.as_corrected_to(note), "robin") == 4
    assert [type(event).__name__ for event in table.history.latest_outcome(note).events] == [
        "NoteWritten",
        "RulingMade",
        "HitPointsCorrected",
    ]
    table.amend(note, text="the bridge")
    assert lost(table.state, "robin") == 4
    table.corrected({note: Amend(unadjusted=True)})
    assert lost(table.state, "robin") == 0


def test_an_adjustment_of_nobody_or_nothing_is_refused() -> None:
    table = ToyTable()
    note = table.do("note", text="the ford").action
    with pytest.raises(NotFound, match="marion"):
        table.preview({note: Amend(adjustments=(Adjustment(who="marion", what="hp", by=1),))})
    for nothing in ("", "  "):
        with pytest.raises(Refused, match="is not on a sheet"):
            table.preview({note: Amend(adjustments=(Adjustment(who="robin", what=nothing, by=1),))})
