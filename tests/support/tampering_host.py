"""A host who can change what was recorded, and the session that is tampered with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import attrs

from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.dice.ledger import DiceLedger, counts, screen_counts
from rollbook.domain.dice.stream import commitment, contribution, mix, session_key
from rollbook.domain.dice.supply import DiceSupply, NoDice, StreamDice
from rollbook.domain.entries import Entry, RecordedEntry
from rollbook.domain.events import DiceRolled, Event, ParameterValue
from tests.support.campaigns import new, ticking_clock
from tests.support.memory_store import MemoryEventStore
from tests.support.toy_table import ToyTable, session_params, session_seeds

ROLL_COUNT = 68
LAST_PURPOSE = "the last word"
UNDONE_PURPOSE = "a leap that was thought better of"
REPEATED_PURPOSE = "the locked door"

ReceiptPair = tuple[int, str]


class TamperingHost(ToyTable):
    """A host who can program. ``seeds`` are those of each session; the rest is what an honest host leaves alone."""

    def __init__(self, seeds: Callable[[int], tuple[bytes, bytes]] = session_seeds) -> None:
        self.seeds = seeds
        self.forgets = False
        self.rolls_on = False
        self.fork = 0
        super().__init__()

    def open(self, **more: ParameterValue) -> RecordedEntry:
        last = self.state.session
        number = last.number + 1 if last else 1
        identity = bytes.fromhex(session_params(number)["identity"])
        table, screen = (commitment(cls, identity, seed).hex() for cls, seed in enumerate(self.seeds(number)))
        return self.do(
            "open-session", **{**session_params(number), "commit_table": table, "commit_screen": screen}, **more
        )

    def keys(self) -> tuple[bytes, bytes]:
        """The keys of the last session's dice."""
        session = self.state.session
        assert session is not None
        identity = bytes.fromhex(session.identity)
        commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
        mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
        table, screen = (session_key(cls, identity, seed, mixed) for cls, seed in enumerate(self.seeds(session.number)))
        return table, screen

    def dice(self, seat: str) -> DiceSupply:
        session = self.state.session
        if session is None or not (session.is_open or self.rolls_on):
            return NoDice("No session is open.")
        table, screen = self.keys()
        ledger = self.history.ledger
        if self.forgets:
            ledger = DiceLedger(ledger.session, dict(ledger.used))
        number = self.state.seats[seat].number if seat in self.state.seats else 0
        return StreamDice(key_table=table, key_screen=screen, seat=number, ledger=ledger, fork=self.fork)

    def close(self, *, reveals: bool = True) -> RecordedEntry:
        session = self.state.session
        assert session is not None
        used = counts(self.history.ledger)
        return self.do("close-session", seed=self.seeds(session.number)[0].hex() if reveals else "", counts=used)

    def show_screen(self) -> RecordedEntry:
        """Reveal the seed of the screen, so that all can check the secret rolls."""
        session = self.state.session
        assert session is not None
        events = (event for entry in self.history.entries for event in entry.events)
        used = screen_counts(events, session.number)
        return self.do("reveal-screen", session=session.number, seed=self.seeds(session.number)[1].hex(), counts=used)


def do_nothing(_: TamperingHost) -> None:
    """An honest host does nothing of the sort."""


@attrs.frozen(kw_only=True)
class HostScript:
    """Points of the sessions at which a host may deviate."""

    seeds: Callable[[int], tuple[bytes, bytes]] = session_seeds
    before_asking_again: Callable[[TamperingHost], None] = do_nothing
    asked_again_for: str = REPEATED_PURPOSE
    in_between: Callable[[TamperingHost], None] = do_nothing
    reveals: bool = True
    after_the_close: Callable[[TamperingHost], None] = do_nothing


def play_host(script: HostScript) -> TamperingHost:
    """Two sessions: a short one, and one of 68 rolls by two seats and behind the screen, with undo, redo and entropy."""
    host = TamperingHost(script.seeds)
    for expression in ("1d20", "2d6", "1d8"):
        host.do("roll", seat="mira", expression=expression)
    host.close()
    host.show_screen()
    host.open(title="the long one")
    host.do("entropy", seat="mira", text="Mira: 6 2 5 1 4")
    host.do("entropy", text="the guests are hungry")
    host.do("adjust", who="robin", what="skill", by=20, reason="a good day")
    host.do("adjust", who="guard", what="hp", by=500, reason="a very good guard")
    _first_half(host, script)
    script.in_between(host)
    _second_half(host)
    host.close(reveals=script.reveals)
    script.after_the_close(host)
    host.show_screen()
    return host


def _first_half(host: TamperingHost, script: HostScript) -> None:
    for at in range(16):
        host.do(
            "roll", seat=("Ana", "mira")[at % 2], expression=("1d20", "2d20kh1", "3d6")[at % 3], purpose=f"test {at}"
        )
    host.do("roll", seat="mira", expression="1d20", purpose=UNDONE_PURPOSE)
    host.undo(host.history.actions)
    host.do("roll", seat="mira", expression="1d20", purpose=REPEATED_PURPOSE)
    host.undo(host.history.actions)
    script.before_asking_again(host)
    host.do("roll", seat="mira", expression="1d20", purpose=script.asked_again_for)
    host.forgets = False
    for _ in range(5):
        host.do("hide", who="robin")


def _second_half(host: TamperingHost) -> None:
    for at in range(12):
        host.do("attack", seat="mira", attacker="robin", target="guard")
        host.do("roll", expression="4d6kh3", purpose=f"fate {at}")
    host.undo(host.history.actions - 1)
    host.redo(host.history.actions - 1)
    for at in range(4):
        host.do("bet", seat="mira", who="robin", dice=1 + at % 3)
    for at in range(3):
        host.do("roll", seat="mira", expression="1d100", purpose=f"omen {at}")
    host.do("roll", seat="mira", expression="1d20", purpose=LAST_PURPOSE)


# Files.


def log_of(entries: Iterable[RecordedEntry]) -> EntryLog:
    """Entries in a store, chained."""
    log = EntryLog(MemoryEventStore(), "sherwood", ticking_clock())
    for entry in entries:
        log.write(log.scan(), [_unsealed(entry)])
    return log


def _unsealed(entry: Entry) -> Entry:
    return entry._replace(
        number=0,
        previous_hash="",
        hash="",
        salt="",
        public_salt="",
        previous_public_hash="",
        hidden_events=(),
        correction="",
    )


@cache
def honest_log() -> EntryLog:
    """The sessions as they were."""
    return log_of(play_host(HostScript()).history.entries)


def log_of_script(script: HostScript) -> EntryLog:
    """The file of a host who did otherwise; up to there it is the honest one, byte for byte."""
    return rechained_log(play_host(script).history.entries)


def rechained_log(entries: Iterable[RecordedEntry]) -> EntryLog:
    """A history of these entries, its chain built again from the first that is not the honest one."""
    true = list(honest_log().entries())
    given = list(entries)
    same = next(
        (at for at, (one, other) in enumerate(zip(true, given, strict=False)) if not _equal_entries(one, other)),
        len(given),
    )
    log = EntryLog(MemoryEventStore(), "sherwood", ticking_clock())
    log.store.append("sherwood", 0, new(honest_log().stored(until=same)) if same else [])
    for entry in given[same:]:
        log.write(log.scan(), [_unsealed(entry)])
    return log


def _equal_entries(one: RecordedEntry, other: RecordedEntry) -> bool:
    bare = (_unsealed(entry)._replace(at=0, public_number=0) for entry in (one, other))
    return next(bare) == next(bare)


def changed_entries(
    change: Callable[[Event], Event], envelope: Callable[[RecordedEntry], RecordedEntry] = lambda entry: entry
) -> list[RecordedEntry]:
    """The honest entries with other events and envelopes."""
    return [envelope(entry)._replace(events=tuple(map(change, entry.events))) for entry in honest_log().entries()]


def entries_without(*actions: int) -> list[RecordedEntry]:
    """The honest entries without some actions and all that was done to them, numbered as if they had never been."""
    left = [entry for entry in honest_log().entries() if entry.action not in actions]
    numbers = {entry.number: at for at, entry in enumerate(left, 1)}
    return [
        entry._replace(
            number=at,
            action=entry.action - sum(action < entry.action for action in actions),
            causation=numbers.get(entry.causation, 0),
            public_number=max(0, entry.public_number - sum(action < entry.action for action in actions)),
        )
        for at, entry in enumerate(left, 1)
    ]


def noted_receipts() -> tuple[ReceiptPair, ...]:
    """Six entries of the long session that mira noted, the last one after the last die."""
    entries = list(honest_log().entries())
    last = action_with_purpose(LAST_PURPOSE)
    until = next(entry.number for entry in entries if entry.action == last)
    opened = next(entry.number for entry in entries if _verb_of(entry) == "open-session" and entry.number > 10)
    noted = [opened + (until - opened) * part // 5 for part in range(6)]
    return tuple((number, entries[number - 1].hash) for number in noted)


def _verb_of(entry: RecordedEntry) -> str:
    return entry.intent.verb


def action_with_purpose(purpose: str) -> int:
    """The last action whose dice fell for this."""
    return max(
        entry.action
        for entry in honest_log().entries()
        for event in entry.events
        if isinstance(event, DiceRolled) and event.purpose == purpose
    )


def table_key() -> bytes:
    return play_host(HostScript()).keys()[0]
