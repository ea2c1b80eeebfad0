"""A later action that a correction makes impossible is undone or kept, one by one."""

from __future__ import annotations

import pytest

from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Effect, Orphans, Undo
from rollbook.domain.entries import EntryKind
from tests.support.toy_table import ToyTable


def test_an_action_without_its_ground_is_an_orphan_and_says_why() -> None:
    table = ToyTable()
    gained = table.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind").action
    spent = table.do("spend-token", who="guard").action
    made = table.preview({gained: Undo()})
    (orphan,) = made.of(Effect.ORPHANED)
    assert orphan.action == spent
    assert "cannot spend a token" in orphan.reason
    assert made.entries[1].kind is EntryKind.UNDONE
    assert made.entries[1].reason == orphan.reason


def test_a_kept_orphan_stands_as_a_ruling_whatever_is_corrected_later() -> None:
    table = ToyTable()
    gained = table.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind").action
    spent = table.do("spend-token", who="guard").action
    other = table.do("gain-token", who="guard").action
    events = table.history.latest_outcome(spent).events
    table.undo(gained, orphans=Orphans.KEEP)
    kept = table.history.effective(spent)
    assert kept is not None
    assert (kept.provenance, kept.events) == ("ruling", events)
    table.undo(other)
    assert table.history.effective(spent) == kept
    table.undo(spent)
    table.redo(spent)
    assert table.history.effective(spent) == kept


def test_of_several_orphans_each_is_decided_by_itself() -> None:
    table = ToyTable()
    gained = table.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind").action
    spent = table.do("spend-token", who="guard").action
    table.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind again")
    later = table.do("spend-token", who="guard").action
    assert [one.action for one in table.preview({gained: Undo()}).of(Effect.ORPHANED)] == [spent]
    made = table.preview({gained: Undo()}, effects={spent: Orphans.KEEP})
    assert [(one.action, one.is_kept) for one in made.of(Effect.ORPHANED)] == [(spent, True), (later, False)]
    both = table.preview({gained: Undo()}, orphans=Orphans.KEEP, effects={later: Orphans.UNDO})
    assert both.entries == made.entries
    with pytest.raises(Refused, match=f"#{gained} is not made impossible by this correction. These are: #{spent}"):
        table.preview({gained: Undo()}, effects={gained: Orphans.KEEP})
