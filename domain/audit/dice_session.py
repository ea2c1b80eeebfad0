"""One session's dice as recorded, and how much their proof is worth (``dice_proof`` has the arithmetic).

That depends on whose lines were mixed into its dice, and which sessions were tried before it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.dice.ledger import DiceLedger, DiceOfAPlace
from rollbook.domain.dice.record import Dice, StreamCounter, StreamPlace
from rollbook.domain.dice.stream import mix_code
from rollbook.domain.events import DiceRolled, SessionOpened


@attrs.frozen
class FirstSeen(Record):
    """The first entry that shows the dice of a place, and the action and roll that they are for."""

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
    """The number of lines in unused sessions, in words: each line of a player gave other dice to look at."""
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
