"""Whatever was played and however it was corrected, the engine gives what playing everything again from nothing gives.

Random evenings of the toy with random corrections, each compared with ``tests.domain.oracle``: what is appended, the state
with the order of everything in it, the before and after of the sheets, and what was known at every moment.
"""

from __future__ import annotations

import pytest

from domain.corrections import Preview
from domain.dice_supply import DiceNeeded
from domain.errors import NotFound, Refused
from domain.events import ActionRestored, ActionVoided, Resolved
from domain.history import Entry, History
from tests.domain.oracle import Oracle, OutOfDice, Said, plain, sheet_lines
from tests.evening import Chance, Correct, Do, Evening, Think
from tests.toy import TOY

CAMPAIGNS = 240
A_FILE = 12


class Witness:
    """An evening that is watched: after every entry it is compared with the oracle."""

    def __init__(self, seed: int) -> None:
        self.evening = Evening()
        self.oracle = Oracle(TOY)
        self.chance = Chance(seed)
        self.known: list[object] = []
        self.corrected = 0
        self.seen = 0
        self.look()

    def look(self) -> None:
        """Take in what was stored, and remember what was known after each entry."""
        for entry in self.evening.history.entries[self.seen :]:
            self.oracle.add(entry)
            self.known.append(plain(self.oracle.state()))
        self.seen = self.evening.history.head
        assert plain(self.evening.state) == self.known[-1]

    def step(self) -> None:
        step = self.chance.step(self.evening.history, corrections=0.35)
        try:
            if isinstance(step, Do):
                self.evening.take(step)
            elif isinstance(step, Think):
                self.evening.think(step.thought.kind)
            else:
                self.correct(step)
        except (Refused, NotFound):
            pass
        self.look()

    def correct(self, step: Correct) -> None:
        if not step.changes:
            return
        before = plain(self.evening.state)
        while True:
            asked = {"stand": step.stand, "orphans": step.orphans}
            expected, wanted = None, 0
            refused = False
            try:
                expected = self.oracle.correct(step.changes, stand=step.stand, orphans=step.orphans)
            except OutOfDice as out:
                wanted = out.action
            except (Refused, NotFound):
                refused = True
            try:
                made = self.evening.preview(step.changes, **asked)
            except DiceNeeded as needed:
                assert needed.action == wanted
                self.evening.draw(needed)
                self.look()
                before = plain(self.evening.state)
                continue
            except (Refused, NotFound):
                assert refused
                assert plain(self.evening.state) == before
                raise
            break
        assert not refused
        assert expected is not None
        self.compare(made, expected)

    def compare(self, made: Preview, expected: list[Said]) -> None:
        evening = self.evening
        sheets = sheet_lines(evening.state, evening.rulebook)
        said = [_said(proposal.header, proposal.facts, evening.history) for proposal in made.proposals]
        told = [one for one in said if one is not None]
        assert len(told) == len(expected)
        for one, other in zip(told, expected, strict=True):
            assert one == other or _brings_back(one, other)
        assert [p.header.action for p in made.proposals] == sorted({p.header.action for p in made.proposals})
        entries = evening.apply(made)
        self.look()
        self.corrected += 1
        assert [(entry.header, entry.facts) for entry in entries] == [(p.header, p.facts) for p in made.proposals]
        assert plain(made.after) == plain(evening.state)
        after = sheet_lines(evening.state, evening.rulebook)
        lines = {key: (sheets.get(key, "–"), after.get(key, "–")) for key in (*sheets, *after)}
        moved = {key: both for key, both in lines.items() if both[0] != both[1]}
        assert {(change.character, change.label): (change.before, change.after) for change in made.changes} == moved

    def look_back(self) -> None:
        """Every moment of the past, as it was known then and as it is corrected today."""
        history = self.evening.history
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


@pytest.mark.parametrize("first", range(0, CAMPAIGNS, A_FILE))
def test_corrections_give_what_playing_everything_again_gives(first: int) -> None:
    corrected = 0
    for seed in range(first, first + A_FILE):
        witness = Witness(seed)
        for _ in range(30):
            witness.step()
        witness.look_back()
        corrected += witness.corrected
    assert corrected > A_FILE
