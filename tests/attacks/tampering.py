"""``python -m tests.attacks.tampering --rounds 10000``: a history changed at random, hashes remade and not.

Each round makes one to three changes (a byte, a value, a line, an entry, the end) and has the history looked at with a new read
model. At the end it prints who caught how many. Exit code 1 if an audit with receipts VERIFIED one of them, or if audit and
verifier do not agree; an error that is not ours ends it.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs

from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.history.event_store import StoredEntry
from tests.attacks.forging import CHAIN, DICE, Forged, audited, book_of, file_of, forged, honest, verdicts_in, written
from tests.support.exports import verify

ODD: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    7,
    2**31,
    2**70,
    0.5,
    True,
    None,
    "",
    "x",
    "gm",
    "mira",
    "Ana",
    "robin",
    [],
    [0],
    {},
    "00" * 32,
)
VOCABULARY = re.compile(r"cannot be read|there is no (event|entry) called")
"""What the audit says of lines that it has no class for; the verifier knows no list of events and of their fields."""

Entries = list[Forged]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in data: what holds it, and the key or position there."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [place for key in keys for place in [(value, key), *_places(value[key])]]


def value(entries: Entries, chance: random.Random) -> None:
    """Another value somewhere: one more or less, one from elsewhere, or an odd one; or it is left out."""
    holder, key = chance.choice(_places(chance.choice(entries).lines))
    was = holder[key]
    if type(was) is int and chance.random() < 0.5:
        holder[key] = was + chance.choice((-2, -1, 1, 2))
    elif chance.random() < 0.15:
        del holder[key]
    elif chance.random() < 0.5:
        other, at = chance.choice(_places(chance.choice(entries).lines))
        holder[key] = deepcopy(other[at])
    else:
        holder[key] = deepcopy(chance.choice(ODD))


def line(entries: Entries, chance: random.Random) -> None:
    """A line of an entry removed, doubled, or put in the place of another."""
    lines = chance.choice(entries).lines
    at, other = chance.randrange(len(lines)), deepcopy(chance.choice(chance.choice(entries).lines))
    chance.choice((lambda: lines.pop(at), lambda: lines.insert(at, other), lambda: lines.__setitem__(at, other)))()


def entry(entries: Entries, chance: random.Random) -> None:
    """An entry removed, doubled, moved, or with the lines of another."""
    at, other = chance.randrange(len(entries)), chance.randrange(len(entries))
    doubled = deepcopy(entries[at])
    how = chance.randrange(4)
    if how == 0:
        del entries[at]
    elif how == 1:
        entries.insert(other, doubled)
    elif how == 2:
        entries.insert(other, entries.pop(at))
    else:
        entries[other].lines = doubled.lines
    for number, each in enumerate(entries, 1):
        each.number = number


def end(entries: Entries, chance: random.Random) -> None:
    """The end cut off, or a gap before it."""
    many = chance.randint(1, max(1, len(entries) - 1))
    if chance.random() < 0.7:
        del entries[-many:]
    else:
        for each in entries[-many:]:
            each.number += 1


CHANGES: tuple[Callable[[Entries, random.Random], None], ...] = (value, value, value, value, line, entry, end)


def tampered(chance: random.Random) -> tuple[str, list[StoredEntry]]:
    """The honest history with something changed, and how."""
    entries, how = forged(honest().stored), []
    for _ in range(chance.choice((1, 1, 2, 3))):
        if not entries or not all(each.lines for each in entries):
            break
        change = chance.choice(CHANGES)
        change(entries, chance)
        how.append(change.__name__)
    remade = chance.random() < 0.75
    try:
        stored = written(entries, remade=remade)
    except (ValueError, TypeError, AttributeError, IndexError, KeyError):
        remade, stored = False, written_as_it_is(entries)
    if chance.random() < 0.1 and stored:
        stored[at] = _with_other_byte(stored[at := chance.randrange(len(stored))], chance)
        how.append("byte")
    return f"{'+'.join(how)}, hashes {'remade' if remade else 'left'}", stored


def written_as_it_is(entries: Entries) -> list[StoredEntry]:
    """Entries whose lines are not what any reader expects, with the hashes that were there."""
    return written([each for each in entries if each.lines], remade=False)


def _with_other_byte(stored: StoredEntry, chance: random.Random) -> StoredEntry:
    data = bytearray(stored.data)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
    return stored._replace(data=bytes(data))


@attrs.define
class Tally:
    """Who caught how many, and what nobody may let through."""

    rounds: int = 0
    caught: Counter[str] = attrs.field(factory=Counter)
    agreed: Counter[str] = attrs.field(factory=Counter)
    faults: list[str] = attrs.field(factory=list)

    def look_at(self, how: str, stored: Sequence[StoredEntry], folder: Path) -> None:
        """One round."""
        self.rounds += 1
        try:
            answers, _ = audited(book_of(stored, honest().campaign, folder), honest())
        except RollbookError as sentence:
            answers = {}
            self.caught["a sentence: it cannot be opened"] += 1
            assert str(sentence)
        path = folder / "forged.jsonl"
        path.write_bytes(file_of(stored, honest().campaign))
        said = verdicts_in(verify(path)[1])
        if answers:
            self._note_answers(how, answers)
            self._compare(how, answers, said)
        elif said.get(CHAIN) != "FAILED":
            self.faults.append(f"{how}: no history, and the verifier says {said}")

    def _note_answers(self, how: str, answers: dict[str, Answer]) -> None:
        failed = [name for name, answer in answers.items() if answer.verdict is Verdict.FAILED]
        if all(answer.verdict is Verdict.VERIFIED for answer in answers.values()):
            self.faults.append(f"{how}: VERIFIED")
        self.caught[failed[0] if failed else "UNPROVEN alone"] += 1
        for name, answer in answers.items():
            if answer.verdict is Verdict.VERIFIED and answer.covered != answer.entries:
                self.faults.append(f"{how}: {name} VERIFIED {answer.covered} of {answer.entries}")

    def _compare(self, how: str, answers: dict[str, Answer], said: dict[str, str]) -> None:
        chain = answers[CHAIN]
        first = chain.findings[0].text if chain.findings else ""
        if chain.verdict is Verdict.FAILED and said.get(CHAIN) == "VERIFIED" and VOCABULARY.search(first):
            self.agreed["the audit alone reads the fields of events"] += 1
        elif str(chain.verdict) != said.get(CHAIN):
            self.faults.append(f"{how}: chain {chain.verdict} ({first}), and the verifier says {said}")
        elif chain.verdict is not Verdict.FAILED and str(answers[DICE].verdict) != said.get(DICE):
            found = answers[DICE].findings[:1]
            self.faults.append(f"{how}: dice {answers[DICE].verdict} {found}, and the verifier says {said}")
        else:
            self.agreed["audit and verifier alike"] += 1

    def report(self) -> str:
        """A few lines for people."""
        caught = ", ".join(f"{name} {many:,}" for name, many in self.caught.most_common())
        agreed = ", ".join(f"{name} {many:,}" for name, many in self.agreed.most_common())
        faults = "".join(f"\n  {fault}" for fault in self.faults[:20])
        return f"{self.rounds:,} tampered histories. Caught first by: {caught}.\n{agreed}. {len(self.faults)} faults{faults}"


def attack(rounds: int, seed: int) -> Tally:
    """So many rounds; those that came out as the honest history are not counted."""
    tally, chance = Tally(), random.Random(seed)
    true = list(honest().stored)
    with TemporaryDirectory() as folder:
        while tally.rounds < rounds:
            how, stored = tampered(chance)
            if not stored or stored == true:
                continue
            try:
                tally.look_at(how, stored, Path(folder))
            except Exception as error:
                raise AssertionError(f"{how}, after {tally.rounds} rounds of seed {seed}: {error!r}") from error
    return tally


def main(argv: Sequence[str] | None = None) -> int:
    """Tamper so many times. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.tampering", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(argv)
    tally = attack(asked.rounds, asked.seed)
    print(tally.report())  # noqa: T201 - its answer
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
