"""One session's dice as recorded, the arithmetic that proves or disproves them, and how much the proof is worth.

That depends on whose lines were mixed into its dice, and which sessions were tried before it.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from rollbook.domain.audit.answers import Finding
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.ledger import DiceLedger, DiceOfAPlace
from rollbook.domain.dice.record import Dice, StreamCounter, StreamPlace, are_some_of
from rollbook.domain.dice.stream import Streams, commitment, contribution, mix, mix_code, session_key
from rollbook.domain.events import DiceRolled, SessionOpened


@attrs.frozen
class FirstSeen(Record):
    """When the dice of a place were seen first, and for what."""

    entry: EntryNumber
    action: ActionNumber
    roll: DiceRolled
    dice: Dice

    @property
    def text(self) -> str:
        """The dice and their purpose."""
        who = f"{self.roll.roller}: " if self.roll.roller else ""
        return f"{faces(self.dice)} ({who}{self.roll.purpose})"


class Line(NamedTuple):
    """A line that was mixed in: the number of the seat that said it, its text, and whether it is a player's.

    A player's is one of a seat that has been a player's since before the session was opened: whom the GM seats after that may
    have been seated for the dice.
    """

    number: int
    text: str
    is_players: bool


class Drawn(NamedTuple):
    """Dice that an entry shows as those of a place. Those that are kept may be shown again."""

    entry: EntryNumber
    dice: DiceOfAPlace
    is_kept: bool


@attrs.define
class DiceSession(Changeable):
    """The dice of one session, as far as they are recorded; ``drawn`` came from its streams and wait to be proven.

    ``gm_seat`` is the number of the first GM who sat there when it was opened with ``entry``.
    """

    opened: SessionOpened
    entry: EntryNumber
    ledger: DiceLedger
    lines: list[Line] = attrs.field(factory=list)
    seeds: dict[bool, str] = attrs.field(factory=dict)
    counts: Mapping[StreamCounter, int] | None = None
    screen_counts: Mapping[StreamCounter, int] | None = None
    drawn: list[Drawn] = attrs.field(factory=list)
    first: dict[StreamPlace, FirstSeen] = attrs.field(factory=dict)
    gm_seat: int = 0
    _screens: set[bool] = attrs.field(factory=set)

    @property
    def number(self) -> int:
        return self.opened.session

    @property
    def is_over(self) -> bool:
        """True if the session was closed, or its seed revealed: nothing may be rolled or mixed in after that."""
        return self.counts is not None or False in self.seeds

    def rolled(self, *, screen: bool) -> bool:
        """True if any dice fell for the table, or behind the screen."""
        return screen in self._screens

    @property
    def has_dice(self) -> bool:
        """True if any dice of its streams fell."""
        return bool(self._screens)

    @property
    def mix_code(self) -> str:
        """The code of what was mixed into its dice, "" for commitments that cannot be."""
        commits = self.opened.commit_table, self.opened.commit_screen
        return mix_code(commits, [(line.number, line.text) for line in self.lines])

    def draw(self, drawn: Drawn) -> None:
        """Dice of a place in its streams were shown."""
        self._screens.add(drawn.dice.place.screen)
        self.drawn.append(drawn)


@attrs.define
class Proof(Changeable):
    """The arithmetic of one session: commitments are opened, and every die is drawn again.

    Dice are proven, and let go, when their seed is revealed; what was waiting still is looked at in the end.
    """

    dice_session: DiceSession
    failed: list[Finding] = attrs.field(factory=list)
    missing: list[Finding] = attrs.field(factory=list)
    proven: int = 0
    _keys: dict[bool, bytes] = attrs.field(factory=dict)
    _streams: Streams = attrs.field(init=False)
    _known: dict[StreamPlace, list[Dice]] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._streams = Streams(self._keys)

    def draw_again(self) -> None:
        """Prove all dice that wait and whose seed is known."""
        for screen, seed in self._revealed():
            if screen not in self._keys and (key := _key(self.dice_session, seed, screen=screen)):
                self._keys[screen] = key
        waiting, self.dice_session.drawn = self.dice_session.drawn, []
        for one in waiting:
            if one.dice.place.screen in self._keys:
                self._check(one)
            else:
                self.dice_session.drawn.append(one)

    def _revealed(self) -> Iterable[tuple[bool, str]]:
        return self.dice_session.seeds.items() if self.dice_session.opened.commit_table else ()

    def finish(self) -> None:
        """Nothing is recorded any more: what is not proven now will not be."""
        dice_session, opened = self.dice_session, self.dice_session.opened
        if dice_session.rolled(screen=False) and not (opened.commit_table and False in dice_session.seeds):
            self.missing.append(
                Finding(dice_session.entry, f"the dice of session {opened.session} are not revealed yet")
            )
        for screen, seed in self._revealed():
            if not _key(dice_session, seed, screen=screen):
                self.failed.append(
                    Finding(dice_session.entry, f"the seed revealed for session {opened.session} is another")
                )
        self.draw_again()
        for one in dice_session.drawn:
            if one.dice.place.screen:
                self.missing.append(Finding(one.entry, "a secret roll whose seed is not revealed yet"))

    def _check(self, one: Drawn) -> None:
        """Check that the dice are those that fell; overridden faces prove nothing and are passed over."""
        entry, drawn, is_kept = one
        known = self._known.setdefault(drawn.place, []) if is_kept else []
        if any(are_some_of(drawn.genuine, fell) for fell in known):
            return
        again = self._again(drawn)
        fits = zip(drawn.dice, again, drawn.overridden, strict=False)
        if len(again) == len(drawn.dice) and all(shown == fell or other for shown, fell, other in fits):
            self.proven += sum(not other for other in drawn.overridden[max(map(len, known), default=0) :])
            known.append(again)
        else:
            self.failed.append(Finding(entry, f"{drawn.named} shows {faces(drawn.dice)}, not {faces(again)}"))

    def _again(self, drawn: DiceOfAPlace) -> Dice:
        try:
            fresh = self._streams.roll(drawn.place)
            return tuple((sides, fresh.draw(sides)) for sides in drawn.sides)
        except (DiceError, struct.error):
            return ()


def _key(dice_session: DiceSession, seed: str, *, screen: bool) -> bytes:
    """The key of a session's dice by a seed that was revealed; nothing if another one was committed to."""
    opened = dice_session.opened
    try:
        identity, raw = bytes.fromhex(opened.identity), bytes.fromhex(seed)
        commits = (bytes.fromhex(opened.commit_table), bytes.fromhex(opened.commit_screen))
        if commitment(int(screen), identity, raw) != commits[int(screen)]:
            return b""
        mixed = mix(commits, [(0, line.number, contribution(line.text)) for line in dice_session.lines])
        return session_key(int(screen), identity, raw, mixed)
    except (ValueError, struct.error):
        return b""


def faces(dice: Iterable[tuple[int, int]]) -> str:
    """Dice in words: ``17 (d20), 4 (d6)``."""
    return ", ".join(f"{face} (d{sides})" for sides, face in dice) or "nothing"


LATE = "level 0, solo: the last line before the first roll is not that of a player who sat there when the session was opened"
SOLO = "level 0, solo: no player mixed anything in"


def levels(dice_sessions: Iterable[DiceSession]) -> list[str]:
    """The level of every session in which dice fell, in words (docs/dice.md); sessions that are alike in it together."""
    found: dict[str, list[int]] = {}
    unused: list[DiceSession] = []
    for dice_session in dice_sessions:
        if _is_unused(dice_session):
            unused.append(dice_session)
        elif dice_session.opened.commit_table and dice_session.has_dice:
            before = f"; {_such_sessions(unused)} before it" if unused else ""
            found.setdefault(_level(dice_session) + before, []).append(dice_session.number)
            unused = []
    return [f"{named_sessions(numbers)}: {level}" for level, numbers in sorted(found.items())]


def _level(dice_session: DiceSession) -> str:
    lines = dice_session.lines
    counting = sum(line.is_players for line in lines)
    if lines and lines[-1].is_players:
        return f"level 1, table: players mixed in {counted(counting, 'line')} before the first roll"
    late = f"{LATE}; players mixed in {counting} lines" if counting > 1 else LATE
    return late if any(line.number for line in lines) else SOLO


def unused_sessions(dice_sessions: Iterable[DiceSession]) -> Iterator[tuple[DiceSession, str]]:
    """Sessions that had a line and were closed without a roll: a host who looks ahead may open until the dice suit."""
    unused = list(filter(_is_unused, dice_sessions))
    for at, dice_session in enumerate(unused):
        many = f"{_such_sessions(unused[:at])} before it" if at else "the first of this kind"
        had = _lines([dice_session])
        yield dice_session, f"session {dice_session.number} had {had} and was closed without a roll; {many}"


def _is_unused(dice_session: DiceSession) -> bool:
    return bool(dice_session.lines) and dice_session.counts is not None and not dice_session.has_dice


def _such_sessions(unused: Sequence[DiceSession]) -> str:
    return f"{counted(len(unused), 'session')} with {_lines(unused)} and without a roll stood"


def _lines(unused: Sequence[DiceSession]) -> str:
    """How many lines sessions had: each of a player's gave other dice to look at."""
    many = sum(max(1, sum(line.is_players for line in each.lines)) for each in unused)
    return f"{many} lines" if many > len(unused) else "a line"


def mix_codes(dice_sessions: Iterable[DiceSession]) -> list[str]:
    """The code of what was mixed into the last session that has a line: a player's screen showed the same."""
    mixed = [dice_session for dice_session in dice_sessions if dice_session.lines and dice_session.mix_code]
    return [f"session {each.number} is mixed to {each.mix_code}" for each in mixed[-1:]]


def named_sessions(numbers: Sequence[int]) -> str:
    """``session 3``, or ``sessions 1–4, 6``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    listed = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
    return f"session{'' if len(numbers) == 1 else 's'} {listed}"
