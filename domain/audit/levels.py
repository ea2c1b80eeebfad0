"""How much the proof of each session is worth: whose lines were mixed into its dice, and which sessions were tried before it."""

from collections.abc import Iterable, Iterator, Sequence

from domain.audit.dice_session import DiceSession
from domain.counted import counted

LATE = "level 0, solo: the last line before the first roll is not that of a player who sat there when the session was opened"
SOLO = "level 0, solo: no player mixed anything in"


def levels(dice_sessions: Iterable[DiceSession]) -> list[str]:
    """The level of every session in which dice fell, in words (docs/dice.md); sessions that are alike in it together."""
    found: dict[str, list[int]] = {}
    unused = 0
    for dice_session in dice_sessions:
        if _is_unused(dice_session):
            unused += 1
        elif dice_session.opened.commit_table and dice_session.has_dice:
            before = f"; {_such_sessions(unused)} before it" if unused else ""
            found.setdefault(_level(dice_session) + before, []).append(dice_session.number)
            unused = 0
    return [f"{named_sessions(numbers)}: {level}" for level, numbers in sorted(found.items())]


def _level(dice_session: DiceSession) -> str:
    lines = dice_session.lines
    counting = sum(line.is_players for line in lines)
    if lines and lines[-1].is_players:
        return f"level 1, table: players mixed in {counted(counting, 'line')} before the first roll"
    return LATE if any(line.number for line in lines) else SOLO


def unused_sessions(dice_sessions: Iterable[DiceSession]) -> Iterator[tuple[DiceSession, str]]:
    """Sessions that had a line and were closed without a roll: a host who looks ahead may open until the dice suit."""
    for before, dice_session in enumerate(filter(_is_unused, dice_sessions)):
        many = f"{_such_sessions(before)} before it" if before else "the first of this kind"
        yield dice_session, f"session {dice_session.number} had a line and was closed without a roll; {many}"


def _is_unused(dice_session: DiceSession) -> bool:
    return bool(dice_session.lines) and dice_session.counts is not None and not dice_session.has_dice


def _such_sessions(many: int) -> str:
    return f"{counted(many, 'session')} with a line and without a roll stood"


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
