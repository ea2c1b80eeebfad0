"""Which actions are to be undone or redone: by number, by a range or by a filter; the last that fits if none is named."""

from collections.abc import Iterable, Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.filters import correctable, last_correctable, matching_actions, matching_undone
from rollbook.adapters.line_commands.options import action_range_param
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.corrections.undoing import last_undone
from rollbook.domain.events import Role

Ranges = tuple[tuple[ActionNumber, ActionNumber], ...]
"""The first and the last of some actions; 0 stands for the last that fits."""
LAST: Ranges = ((0, 0),)
CORRECTION = (-1, -1)
"""What the word "correction" stands for among numbers of actions."""


LAST_WORD = "last"


def undo_ranges(words: Sequence[str]) -> tuple[Ranges, str]:
    """``12 14-20``, ``last`` or ``correction``, and the verb of ``last attack``. Raises BadParameter."""
    verb = last_of(words[:1] == (LAST_WORD,), words[1:])
    return tuple(map(undo_param, words[:1] if verb else words)), verb


def last_of(is_last: bool, words: Sequence[str]) -> str:
    """The verb after ``last``, as in ``last attack``; "" if a number, a change, a word for the last or nothing follows."""
    is_verb = is_last and words and "=" not in words[0] and not words[0].lstrip("#")[:1].isdecimal()
    return words[0] if is_verb and words[0] not in (LAST_WORD, "correction") else ""


def undo_param(text: str) -> tuple[ActionNumber, ActionNumber]:
    """``12``, ``12-40`` or ``last``, or ``correction`` for the last correction."""
    return CORRECTION if text == "correction" else action_range_param(text)


def to_undo(
    context: CommandContext, numbers: Ranges, where: str | None, seat: str | None, verb: str = ""
) -> tuple[ActionNumber, ...]:
    """The actions that are to be undone; for a player's seat the last, or the last of a ``verb``, is that seat's.

    Raises NotFound if none is, BadFilter.
    """
    if where is not None:
        return matching_actions(context, [where])
    whose = _player(context, seat)
    if verb:
        return (number_of(context, 0, whose, verb),)
    return _each_once(action for low, high in numbers or LAST for action in _between(context, low, high, whose))


def to_redo(context: CommandContext, numbers: Ranges, where: str | None, seat: str | None) -> tuple[ActionNumber, ...]:
    """The actions that are to be redone: for a player's seat the last is what that seat undid. Raises NotFound, BadFilter."""
    if where is not None:
        return matching_undone(context, [where])
    whose = _player(context, seat)
    return _each_once(action for low, high in numbers or LAST for action in _undone_between(context, low, high, whose))


def _player(context: CommandContext, seat: str | None) -> SeatName:
    """The seat if it is a player's, who corrects what is theirs; "" for the GM's. Raises NotFound."""
    campaign = context.campaign()
    name = campaign.seat(seat)
    sitting = campaign.state.seats.get(name)
    return "" if sitting is None or sitting.role is Role.GM else name


def _each_once(actions: Iterable[ActionNumber]) -> tuple[ActionNumber, ...]:
    return tuple(dict.fromkeys(actions))


def number_of(context: CommandContext, action: ActionNumber, seat: SeatName = "", verb: str = "") -> ActionNumber:
    """The number of an action, 0 being the last that can be corrected, of a seat and a verb if they are named.

    Raises NotFound, before anybody is asked anything.
    """
    history = context.history()
    if action:
        history.check(action)
        return action
    last = last_correctable(context.campaign(), seat, lambda taken: verb in ("", taken))
    if not last and verb and context.campaign().session.rulebook.verb(context.campaign().state, verb):
        raise NotFound(f"No action of the verb {verb} counts and can be undone.")
    if not last:
        raise NotFound("Nothing has happened yet that could be undone.")
    return last


def _between(
    context: CommandContext, low: ActionNumber, high: ActionNumber, seat: SeatName
) -> tuple[ActionNumber, ...]:
    """One action, or those in a range that count and can be undone. Raises NotFound if there is none."""
    if low == high:
        return (number_of(context, low, seat),)
    found = correctable(context.campaign(), low, high)
    if not found:
        raise NotFound(f"None of the actions #{low} to #{high} counts and can be undone.")
    return found


def _undone_between(
    context: CommandContext, low: ActionNumber, high: ActionNumber, seat: SeatName
) -> tuple[ActionNumber, ...]:
    """One action, or those in a range that are undone; for 0 the last. Raises NotFound if there is none."""
    history = context.history()
    if not low:
        return (last_undone(history, seat),)
    if low == high:
        history.check(low)
        return (low,)
    found = tuple(action for action, counts in history.outcomes(low) if action <= high and counts is None)
    if not found:
        raise NotFound(f"None of the actions #{low} to #{high} is undone.")
    return found
