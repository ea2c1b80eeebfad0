"""A campaign that is watched: whatever is corrected, the engine's answer is held against the oracle's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from domain.campaign import Campaign
from domain.corrections import Change, Fate, Orphans, Preview
from domain.dice_supply import DiceNeeded
from domain.errors import NotFound, Refused
from domain.events import ActionRestored, ActionVoided, Resolved
from domain.history import Entry, History
from domain.rulebook import Rulebook
from tests.domain.oracle import NO_FATES, Oracle, OutOfDice, Said, plain, sheet_lines


class Table(Protocol):
    """A table without a store, at which dice can be drawn for a correction."""

    rulebook: Rulebook
    history: History

    @property
    def state(self) -> Campaign: ...
    def preview(self, changes: Mapping[int, Change], **how: Any) -> Preview: ...
    def draw(self, needed: DiceNeeded) -> object: ...
    def apply(self, made: Preview) -> list[Entry]: ...


class Witness:
    """Everything that was known after every entry, and what the oracle makes of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.oracle = Oracle(*table.rulebook.rulesets.values())
        self.known: list[object] = []
        self.corrected = 0
        self.refused = 0
        self.seen = 0
        self.look()

    def look(self) -> None:
        """Take in what was stored, and remember what was known after each entry."""
        for entry in self.table.history.entries[self.seen :]:
            self.oracle.add(entry)
            self.known.append(plain(self.oracle.state()))
        self.seen = self.table.history.head
        assert plain(self.table.state) == self.known[-1]

    def previewed(
        self,
        changes: Mapping[int, Change],
        *,
        stand: bool = False,
        orphans: Orphans = Orphans.VOID,
        fates: Mapping[int, Orphans] = NO_FATES,
    ) -> Preview:
        """The preview, the same as the oracle's; missing dice are drawn. Raises Refused or NotFound where both do."""
        while True:
            before = plain(self.table.state)
            expected, wanted, refused = None, 0, False
            try:
                expected = self.oracle.correct(changes, stand=stand, orphans=orphans, fates=fates)
            except OutOfDice as out:
                wanted = out.action
            except (Refused, NotFound):
                refused = True
            try:
                made = self.table.preview(changes, stand=stand, orphans=orphans, fates=fates)
            except DiceNeeded as needed:
                assert needed.action == wanted
                self.table.draw(needed)
                self.look()
                continue
            except (Refused, NotFound):
                assert refused
                assert plain(self.table.state) == before
                self.refused += 1
                raise
            assert not refused
            assert expected is not None
            self._compare(made, expected)
            if not stand:
                self._compare_fates(made, changes)
            assert plain(self.table.state) == before
            return made

    def _compare(self, made: Preview, expected: list[Said]) -> None:
        said = [_said(proposal.header, proposal.facts, self.table.history) for proposal in made.proposals]
        told = [one for one in said if one is not None]
        assert len(told) == len(expected)
        for one, other in zip(told, expected, strict=True):
            assert one == other or _brings_back(one, other)
        assert [p.header.action for p in made.proposals] == sorted({p.header.action for p in made.proposals})

    def _compare_fates(self, made: Preview, changes: Mapping[int, Change]) -> None:
        """Same, changed, orphaned or drifted: every later action is told, or counted as one that read nothing new."""
        later = {action: fate for action, fate in self.oracle.fates.items() if action > min(changes)}
        told = {"changed": made.of(Fate.CHANGED), "orphaned": made.of(Fate.ORPHANED), "drifted": made.of(Fate.DRIFTED)}
        found = {fate: {one.action for one in consequences} for fate, consequences in told.items()}
        right = {fate: {action for action, of in later.items() if of == fate} for fate in (*told, "same")}
        assert found["changed"] == right["changed"]
        assert found["orphaned"] == right["orphaned"]
        assert found["drifted"] <= right["drifted"]
        assert set(made.same) <= right["same"] | right["drifted"]
        assert made.resolved == len(made.same) + sum(len(actions) for actions in found.values())
        assert made.resolved + made.skipped == len(later)

    def apply(self, made: Preview) -> None:
        """What is appended, and what the sheets are then, is what the preview says."""
        table = self.table
        sheets = sheet_lines(table.state, table.rulebook)
        entries = table.apply(made)
        self.look()
        self.corrected += 1
        assert [(entry.header, entry.facts) for entry in entries] == [(p.header, p.facts) for p in made.proposals]
        assert plain(made.after) == plain(table.state)
        after = sheet_lines(table.state, table.rulebook)
        lines = {key: (sheets.get(key, "–"), after.get(key, "–")) for key in (*sheets, *after)}
        moved = sorted((key[0], key[2], *both) for key, both in lines.items() if both[0] != both[1])
        assert sorted((one.character, one.label, one.before, one.after) for one in made.changes) == moved

    def look_back(self) -> None:
        """Every moment of the past, as it was known then and as it is corrected today."""
        history = self.table.history
        for number, known in enumerate(self.known, 1):
            assert plain(history.as_known_at(number)) == known
        for action in range(history.actions + 1):
            assert plain(history.as_corrected_to(action)) == plain(self.oracle.state(action))
        again = History(history.entries)
        assert plain(again.state) == plain(history.state)
        assert again.ledger == history.ledger


def _said(header: object, facts: tuple[object, ...], history: History) -> Said | None:
    """A proposal in the oracle's words; nothing if it only says what the action looks at now."""
    if isinstance(header, ActionVoided):
        return Said(kind="void", action=header.action)
    if isinstance(header, ActionRestored):
        restored = history.revision(header.action, header.restores)
        return Said(kind="restore", action=header.action, facts=restored.facts, restores=header.restores)
    assert isinstance(header, Resolved)
    was: Entry | None = history.effective(header.action)
    if was is not None and isinstance(was.header, Resolved):
        same = (was.facts, was.header.intent, was.header.provenance)
        if same == (facts, header.intent, header.provenance) and header.because:
            assert not set(header.reads) <= set(was.header.reads)
            return None
    return Said(kind="revise", action=header.action, facts=facts, intent=header.intent, provenance=header.provenance)


def _brings_back(said: Said, expected: Said) -> bool:
    """An outcome that comes back as it was, but looks at other things now, is told as a new revision."""
    return (said.kind, expected.kind, said.action, said.facts) == (
        "revise",
        "restore",
        expected.action,
        expected.facts,
    )
