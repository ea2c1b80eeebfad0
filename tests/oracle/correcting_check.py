"""Compares every preview and correction with the oracle's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import attrs

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Change, Effect, Insert, Orphans, Proposal, change_begins
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import Entry, EntryKind, RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.correction_laws import written_sheets
from tests.oracle.correcting import NO_ORPHAN_CHOICES, ExpectedEntry, Oracle, as_recorded
from tests.oracle.recorded_dice import OutOfDice
from tests.support.comparison import comparable


class CorrectableTable(Protocol):
    """A table without a store, at which dice can be drawn for a correction."""

    rulebook: Rulebook
    history: History
    corrector: str

    @property
    def state(self) -> CampaignState: ...
    def preview(self, changes: Mapping[int, Change], **how: Any) -> Proposal: ...
    def draw(self, needed: DiceNeeded) -> object: ...
    def apply(self, made: Proposal) -> list[RecordedEntry]: ...


class OracleCheck:
    """Everything that was known after every entry (unless it is not to be remembered), and what the oracle makes of it."""

    def __init__(self, table: CorrectableTable, *, remembers: bool = True) -> None:
        self.table = table
        self.remembers = remembers
        self.oracle = Oracle(*table.rulebook.rulesets.values(), corrector=table.corrector)
        self.known: list[object] = []
        self.corrected = 0
        self.refused = 0
        self.seen = 0
        self.take_in_entries()

    def take_in_entries(self) -> None:
        """Take in what was stored, and remember what was known after each entry."""
        for entry in self.table.history.entries[self.seen :]:
            self.oracle.add(entry)
            if self.remembers:
                self.known.append(comparable(self.oracle.state()))
        self.seen = self.table.history.head
        assert comparable(self.table.state) == comparable(self.oracle.state())

    def previewed(
        self,
        changes: Mapping[int, Change],
        *,
        stand: bool = False,
        orphans: Orphans = Orphans.UNDO,
        effects: Mapping[int, Orphans] = NO_ORPHAN_CHOICES,
    ) -> Proposal:
        """The preview, the same as the oracle's; missing dice are drawn. Raises Refused or NotFound where both do."""
        while True:
            changes = _numbered(changes, self.table.history)
            before = comparable(self.table.state)
            expected, wanted, refused = None, 0, False
            try:
                expected = self.oracle.correct(changes, stand=stand, orphans=orphans, effects=effects)
            except OutOfDice as out:
                wanted = out.action
            except (Refused, NotFound):
                refused = True
            try:
                made = self.table.preview(changes, stand=stand, orphans=orphans, effects=effects)
            except DiceNeeded as needed:
                assert needed.action == wanted
                self.table.draw(needed)
                self.take_in_entries()
                continue
            except (Refused, NotFound):
                assert refused
                assert comparable(self.table.state) == before
                self.refused += 1
                raise
            assert not refused
            assert expected is not None
            self._compare(made, expected)
            if not stand:
                self._compare_effects(made, changes)
            assert comparable(self.table.state) == before
            return made

    def _compare(self, made: Proposal, expected: list[ExpectedEntry]) -> None:
        said = [_as_expected_entry(proposal, self.table.history) for proposal in made.entries]
        told = [one for one in said if one is not None]
        assert len(told) == len(expected)
        for one, other in zip(told, expected, strict=True):
            assert _in_words(one) == _in_words(other) or _redoes_the_same(one, other)
        kept = [self.oracle.place(p.action) for p in made.entries if p.kind is not EntryKind.INSERTED]
        assert kept == sorted(set(kept))

    def _compare_effects(self, made: Proposal, changes: Mapping[int, Change]) -> None:
        """Same, changed, orphaned or drifted: every later action is told, or counted as one that read nothing new."""
        place = self.oracle.place
        first = min(place(change_begins(action, change)) for action, change in changes.items())
        later = {action: effect for action, effect in self.oracle.effects.items() if place(action) >= first}
        told = {
            "changed": made.of(Effect.CHANGED),
            "orphaned": made.of(Effect.ORPHANED),
            "drifted": made.of(Effect.DRIFTED),
        }
        found = {effect: {one.action for one in consequences} for effect, consequences in told.items()}
        right = {effect: {action for action, of in later.items() if of == effect} for effect in (*told, "same")}
        assert found["changed"] == right["changed"]
        assert found["orphaned"] == right["orphaned"]
        assert found["drifted"] <= right["drifted"]
        assert set(made.same) <= right["same"] | right["drifted"]
        assert made.resolved == len(made.same) + sum(len(actions) for actions in found.values())
        assert made.resolved + made.skipped == len(later)

    def apply(self, made: Proposal) -> None:
        """What is appended, and what the sheets are then, is what the preview says."""
        table = self.table
        sheets = written_sheets(table.state, table.rulebook)
        entries = table.apply(made)
        self.take_in_entries()
        self.corrected += 1
        assert [entry._replace(number=0) for entry in entries] == list(made.entries)
        assert comparable(made.after) == comparable(table.state)
        after = written_sheets(table.state, table.rulebook)
        lines = {key: (sheets.get(key, "–"), after.get(key, "–")) for key in (*sheets, *after)}
        moved = sorted((key[0], key[2], *both) for key, both in lines.items() if both[0] != both[1])
        assert sorted((one.character, one.label, one.before, one.after) for one in made.changes) == moved

    def check_past_states(self) -> None:
        """Every moment of the past, as it was known then and as it is corrected today."""
        history = self.table.history
        for number, known in enumerate(self.known, 1):
            assert comparable(history.as_known_at(number)) == known
        for action in range(history.actions + 1):
            assert comparable(history.as_corrected_to(action)) == comparable(self.oracle.state(action))
        again = History(history.entries)
        assert comparable(again.state) == comparable(history.state)
        assert again.ledger == history.ledger


def _numbered(changes: Mapping[int, Change], history: History) -> dict[int, Change]:
    """Changes of which an insertion has the number that is next: a die that is drawn for it takes one."""
    return {history.actions + 1 if isinstance(change, Insert) else action: change for action, change in changes.items()}


def _in_words(one: ExpectedEntry) -> ExpectedEntry:
    return one if one.intent is None else attrs.evolve(one, intent=as_recorded(one.intent))


def _as_expected_entry(proposal: Entry, history: History) -> ExpectedEntry | None:
    """A proposal in the oracle's words; nothing if it only says what the action looks at now."""
    if proposal.kind is EntryKind.UNDONE:
        return ExpectedEntry(kind="undo", action=proposal.action)
    if proposal.kind is EntryKind.INSERTED:
        kind = f"insert before {proposal.before}"
        return ExpectedEntry(kind=kind, action=proposal.action, events=proposal.events, intent=proposal.full_intent)
    if proposal.kind is EntryKind.REDONE:
        restored = history.revision(proposal.action, proposal.restores)
        return ExpectedEntry(kind="redo", action=proposal.action, events=restored.events, restores=proposal.restores)
    was: RecordedEntry | None = history.effective(proposal.action)
    if was is not None and was.is_outcome:
        same = (was.events, was.full_intent, was.provenance)
        if same == (proposal.events, proposal.full_intent, proposal.provenance) and proposal.causation:
            assert not set(proposal.reads) <= set(was.reads)
            return None
    return ExpectedEntry(
        kind="revise",
        action=proposal.action,
        events=proposal.events,
        intent=proposal.full_intent,
        provenance=proposal.provenance,
    )


def _redoes_the_same(said: ExpectedEntry, expected: ExpectedEntry) -> bool:
    """An outcome that comes back as it was, but looks at other things now, is told as a new revision."""
    return (said.kind, expected.kind, said.action, said.events) == ("revise", "redo", expected.action, expected.events)
