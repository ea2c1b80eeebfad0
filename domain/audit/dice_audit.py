"""The second question, the dice: whether every die is the one that the revealed seeds give."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

import attrs

from domain.audit.answers import Answer, Finding, answer
from domain.dice.errors import DiceError
from domain.dice.stream import Stream, commitment, contribution, mix, session_key
from domain.events import (
    DiceRevealed,
    DiceRolled,
    EntropyAdded,
    Event,
    SessionClosed,
    SessionOpened,
)
from domain.history import Entry


@attrs.define
class _Evening:
    """The dice of one session, as far as the history tells of them."""

    opened: SessionOpened
    entry: int
    entropy: list[EntropyAdded] = attrs.field(factory=list)
    seeds: dict[bool, str] = attrs.field(factory=dict)
    rolls: list[tuple[int, DiceRolled]] = attrs.field(factory=list)
    counts: dict[str, int] | None = None


@attrs.define
class _DiceAudit:
    evenings: dict[int, _Evening] = attrs.field(factory=dict)
    failed: list[Finding] = attrs.field(factory=list)
    missing: list[Finding] = attrs.field(factory=list)
    other: dict[str, int] = attrs.field(factory=dict)
    proven: int = 0

    def gather(self, entry: int, event: Event) -> None:
        """Sort what bears on dice to its session, and object to what comes too late."""
        if isinstance(event, SessionOpened):
            self.evenings[event.session] = _Evening(event, entry)
        elif isinstance(event, DiceRolled):
            self._gather_roll(entry, event)
        elif isinstance(event, EntropyAdded) and event.session in self.evenings:
            evening = self.evenings[event.session]
            if evening.rolls:
                self.failed.append(Finding(entry, "entropy was added after the first die"))
            evening.entropy.append(event)
        elif isinstance(event, DiceRevealed) and event.session in self.evenings:
            self.evenings[event.session].seeds[event.screen] = event.seed
        elif isinstance(event, SessionClosed) and event.session in self.evenings:
            self.evenings[event.session].counts = dict(event.counts)

    def _gather_roll(self, entry: int, roll: DiceRolled) -> None:
        for source in roll.sources:
            if source.kind != "stream":
                self.other[source.kind] = self.other.get(source.kind, 0) + source.count
        for session in {source.session for source in roll.sources if source.kind == "stream"}:
            if session not in self.evenings:
                self.failed.append(Finding(entry, f"dice of session {session}, which was never opened"))
            else:
                self.evenings[session].rolls.append((entry, roll))

    def check(self, number: int, evening: _Evening) -> None:
        """Open the commitments of one session and draw every die again."""
        streams = self._streams(evening)
        known: dict[tuple[bool, int, int], list[tuple[int, int]]] = {}
        seen: set[tuple[bool, int, int]] = set()
        used: dict[str, int] = {}
        for entry, roll in evening.rolls:
            for key, dice in _stream_dice(roll, number):
                screen, seat, index = key
                counter = f"{int(screen)}/0/{seat}"
                if key not in seen and index != used.get(counter, 0):
                    self.failed.append(
                        Finding(entry, f"roll {index} of seat {seat} where {used.get(counter, 0)} is next")
                    )
                used[counter] = max(used.get(counter, 0), index + 1)
                seen.add(key)
                self._check_dice(entry, streams.get(screen), key, dice, known)
        if evening.counts is not None and evening.counts != used:
            self.failed.append(Finding(evening.entry, f"session {number} was closed over other counts of rolls"))

    def _streams(self, evening: _Evening) -> dict[bool, Stream]:
        opened = evening.opened
        if evening.rolls and not (opened.commit_table and False in evening.seeds):
            self.missing.append(Finding(evening.entry, f"the dice of session {opened.session} are not revealed yet"))
        streams = {}
        for screen, seed in evening.seeds.items() if opened.commit_table else ():
            try:
                stream = _opened(evening, seed, screen=screen)
            except (ValueError, struct.error):
                stream = None
            if stream is None:
                self.failed.append(Finding(evening.entry, f"the seed revealed for session {opened.session} is another"))
            else:
                streams[screen] = stream
        return streams

    def _check_dice(
        self,
        entry: int,
        stream: Stream | None,
        key: tuple[bool, int, int],
        dice: list[tuple[int, int]],
        known: dict[tuple[bool, int, int], list[tuple[int, int]]],
    ) -> None:
        screen, seat, index = key
        if stream is None:
            if screen:
                self.missing.append(Finding(entry, "a secret roll whose seed is not revealed yet"))
            return
        if _within(dice, known.get(key, [])):
            return
        try:
            bytes_of_roll = stream.roll(seat, index)
            drawn = [(sides, bytes_of_roll.draw(sides)) for sides, _ in dice]
        except (DiceError, struct.error):
            drawn = []
        if drawn != dice:
            self.failed.append(Finding(entry, f"roll {index} of seat {seat} shows {_faces(dice)}, not {_faces(drawn)}"))
            return
        self.proven += len(dice) - len(known.get(key, []))
        known[key] = dice


def _opened(evening: _Evening, seed: str, *, screen: bool) -> Stream | None:
    """The stream of a session by a seed that was revealed; None if another one was committed to."""
    opened = evening.opened
    identity, raw = bytes.fromhex(opened.identity), bytes.fromhex(seed)
    commits = (bytes.fromhex(opened.commit_table), bytes.fromhex(opened.commit_screen))
    if commitment(int(screen), identity, raw) != commits[int(screen)]:
        return None
    mixed = mix(commits, [(0, line.number, contribution(line.text)) for line in evening.entropy])
    return Stream(session_key(int(screen), identity, raw, mixed))


def _stream_dice(roll: DiceRolled, session: int) -> Iterator[tuple[tuple[bool, int, int], list[tuple[int, int]]]]:
    at = 0
    for source in roll.sources:
        dice = [(die.sides, die.face) for die in roll.dice[at : at + source.count]]
        at += source.count
        if source.kind == "stream" and source.session == session:
            yield (source.screen, source.seat, source.index), dice


def _within(dice: list[tuple[int, int]], known: list[tuple[int, int]]) -> bool:
    """Whether the dice are some of those already proven, in order: a later outcome may need fewer of them."""
    rest = iter(known)
    return bool(known) and all(die in rest for die in dice)


def _faces(dice: list[tuple[int, int]]) -> str:
    return ", ".join(f"{face} (d{sides})" for sides, face in dice)


_OTHER = {
    "physical": "{} real dice were typed in; nobody can prove those",
    "imported": "{} dice were told by another program; nobody can prove those",
}


def audit_dice(entries: Iterable[Entry]) -> Answer:
    """Whether every die of the committed streams is the one that the revealed seeds give."""
    audit = _DiceAudit()
    for entry in entries:
        for event in entry.facts:
            audit.gather(entry.number, event)
    identities = [evening.opened.identity for evening in audit.evenings.values() if evening.opened.identity]
    if len(set(identities)) != len(identities):
        audit.failed.append(Finding(0, "two sessions share one identity"))
    for number, evening in audit.evenings.items():
        audit.check(number, evening)
    remarks = [f"{audit.proven} dice proven"] if audit.proven else []
    remarks += [_OTHER.get(kind, "{} dice of unknown source").format(count) for kind, count in audit.other.items()]
    if not audit.proven and audit.other and not audit.failed and not audit.missing:
        audit.missing.append(Finding(0, "no die of this history came from a committed stream"))
    return answer("dice", audit.proven, audit.failed, audit.missing, remarks)
