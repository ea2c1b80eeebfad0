"""How much the proof of each session is worth: whose lines were mixed into its dice, and which sessions were tried before it."""

from collections.abc import Iterable, Iterator, Sequence

from rollbook.domain.audit.dice_session import DiceSession
from rollbook.domain.base.number_words import counted

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
