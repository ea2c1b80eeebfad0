"""Three questions about a history, answered apart: its chain, its dice, its rules.

Is the chain whole, do the dice match their commitments, do the rules give what is recorded?

VERIFIED means proven from what is there; UNPROVEN that nothing contradicts it but something is missing (a seed that was
not revealed, a ruleset of another version); FAILED that something contradicts it. A withheld proof never reads as success.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

import attrs

from domain.chain import ROOT, entry_hash, unsealed
from domain.dice.errors import DiceError
from domain.dice.stream import Stream, commitment, contribution, mix, session_key
from domain.dice_supply import NoDice, RecordedDice
from domain.errors import HistoryDamaged, RollbookError
from domain.event_store import StoredEvent
from domain.events import (
    ActionTaken,
    DiceRevealed,
    DiceRolled,
    EntropyAdded,
    Event,
    Header,
    Resolved,
    SessionClosed,
    SessionOpened,
)
from domain.history import Entry, History
from domain.rulebook import Rulebook


class Verdict(StrEnum):
    """The three answers."""

    VERIFIED = "VERIFIED"
    UNPROVEN = "UNPROVEN"
    FAILED = "FAILED"


@attrs.frozen
class Finding:
    """What is wrong or missing, and in which entry (0: in none in particular)."""

    entry: int
    text: str


@attrs.frozen
class Answer:
    """One of the three answers. ``checked`` counts what was checked, ``remarks`` say what a reader should know."""

    question: str
    verdict: Verdict
    checked: int
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()


def _answer(question: str, checked: int, failed: list[Finding], missing: list[Finding], remarks: list[str]) -> Answer:
    verdict = Verdict.FAILED if failed else Verdict.UNPROVEN if missing else Verdict.VERIFIED
    return Answer(question, verdict, checked, tuple(failed or missing), tuple(remarks))


# The chain.

Batch = list[StoredEvent]
Decode = Callable[[str, bytes], Event]


def batches(stored: Iterable[StoredEvent], is_header: Callable[[str], bool]) -> Iterator[Batch]:
    """Stored events, entry by entry: each begins with a header."""
    batch: Batch = []
    for event in stored:
        if batch and is_header(event.name):
            yield batch
            batch = []
        batch.append(event)
    if batch:
        yield batch


def check_batch(batch: Batch, parent: str, decode: Decode) -> tuple[Header, tuple[Event, ...]]:
    """The header and facts of one stored entry. Raises HistoryDamaged with the reason if it is not what was stored."""
    first = batch[0]
    header = decode(first.name, first.data)
    if not isinstance(header, Header):
        raise HistoryDamaged(f"it begins with {first.name}, not with a header")
    bare, witness = unsealed(first.data)
    if header.parent != parent:
        raise HistoryDamaged("it does not follow the entry before it: something was changed, removed or put in")
    told = [(name, data) for _, name, data in batch[1:]]
    if not witness or entry_hash(parent, [(first.name, bare), *told], header.salt) != witness:
        raise HistoryDamaged("its events are not the ones that were stored")
    return header, tuple([decode(name, data) for name, data in told])


@attrs.define
class ChainCheck:
    """A chain as it is checked entry by entry: the hash of the last good entry and what was wrong so far."""

    decode: Decode
    parent: str = ROOT
    version: int = 0
    number: int = 0
    failed: list[Finding] = attrs.field(factory=list)

    def follow(self, batch: Batch) -> tuple[Header, tuple[Event, ...]] | None:
        """Check one more entry; None if it is damaged."""
        self.number += 1
        try:
            for event in batch:
                if event.version != self.version + 1:
                    raise HistoryDamaged(f"event {self.version + 1} is missing")
                self.version = event.version
            header, facts = check_batch(batch, self.parent, self.decode)
        except HistoryDamaged as damage:
            self.failed.append(Finding(self.number, str(damage)))
            self.version = batch[-1].version
            self.parent = unsealed(batch[0].data)[1] or self.parent
            return None
        self.parent = header.witness
        return header, facts


def audit_chain(
    stored: Iterable[StoredEvent],
    is_header: Callable[[str], bool],
    decode: Decode,
    remembered: tuple[int, str] = (0, ""),
) -> Answer:
    """Whether every stored byte is the one that was written, in its place.

    ``remembered`` is an entry number and its hash that somebody noted elsewhere (the read model, a receipt): a history
    that has lost its end is found by it.
    """
    check = ChainCheck(decode)
    events = 0
    at_remembered = ROOT
    for batch in batches(stored, is_header):
        events += len(batch)
        check.follow(batch)
        if check.number == remembered[0]:
            at_remembered = check.parent
    failed = check.failed
    if remembered[0] > check.number:
        failed.append(Finding(check.number + 1, f"the history was longer: it had {remembered[0]} entries"))
    elif remembered[0] and at_remembered != remembered[1]:
        failed.append(Finding(remembered[0], "it is not the entry that was there before"))
    return _answer("chain", events, failed, [], [f"{check.number} entries, {events} events"])


# The dice.


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
    return _answer("dice", audit.proven, audit.failed, audit.missing, remarks)


# The rules.


def audit_rules(entries: Iterable[Entry], rulebook: Rulebook) -> Answer:
    """Whether every recorded intent, resolved again on the state of its moment with its own dice, gives its facts."""
    history = History()
    failed: list[Finding] = []
    missing: list[Finding] = []
    again = stands = 0
    for entry in entries:
        header = entry.header
        if isinstance(header, Resolved):
            if header.provenance != "played":
                stands += 1
            else:
                again += 1
                _check_rules(history, entry, header, rulebook, failed, missing)
        history.add(entry)
    if stands and not again:
        missing.append(Finding(0, "nothing in this history was decided by rules that could be played again"))
    remarks = [f"{again} outcomes resolved again"]
    remarks += [f"{stands} stand as recorded (imported, or ruled by the GM)"] if stands else []
    return _answer("rules", again, failed, missing, remarks)


def _check_rules(
    history: History,
    entry: Entry,
    header: Resolved,
    rulebook: Rulebook,
    failed: list[Finding],
    missing: list[Finding],
) -> None:
    ruleset = rulebook.rulesets.get(header.ruleset)
    if header.ruleset and (ruleset is None or ruleset.version != header.version):
        installed = f"version {ruleset.version} is installed" if ruleset else "it is not installed"
        missing.append(Finding(entry.number, f"played by {header.ruleset} {header.version}; {installed}"))
        return
    campaign = history.state if isinstance(header, ActionTaken) else history.state_before(header.action)
    try:
        played = rulebook.play(
            campaign,
            header.intent,
            RecordedDice([entry.facts], NoDice()),
            seat=header.seat if isinstance(header, ActionTaken) else history.seat_of(header.action),
            secret=header.visibility == "gm",
            ruleset=None if campaign.name else ruleset,
        )
    except RollbookError as refusal:
        failed.append(Finding(entry.number, f"#{header.action} is recorded, but the rules say: {refusal}"))
        return
    if played.facts != entry.facts:
        failed.append(Finding(entry.number, f"#{header.action} comes out differently when it is resolved again"))
