"""Selection of entries and actions: by filter, by number or range, or the last that can be corrected."""

from collections.abc import Callable, Iterable, Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.options import action_range_param
from rollbook.application.history.read_model import LogRows
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber, SeatName
from rollbook.domain.base.letters import caseless
from rollbook.domain.corrections.undoing_together import last_undone
from rollbook.domain.events import Role
from rollbook.domain.state.lookup import is_party_word
from rollbook.projections.database import COUNTS, UNDONE
from rollbook.projections.filters import NAMED, BadFilter, named, read
from rollbook.projections.session_log import SqlCondition

Ranges = tuple[tuple[ActionNumber, ActionNumber], ...]
"""First and last number of each range of actions; 0 stands for the last that fits."""
LAST: Ranges = ((0, 0),)
CORRECTION = (-1, -1)
"""Stand-in for the word "correction" among ranges of actions."""
LAST_WORD = "last"


def fitting_entries(
    context: CommandContext, read_model: LogRows, campaign: CampaignId, text: str
) -> frozenset[EntryNumber]:
    """The numbers of the entries that fit a filter. Raises BadFilter with a caret under the fault."""
    return frozenset(line.entry for line in read_model.log(campaign, where=meant(context, text), everything=True))


def meant(context: CommandContext, text: str) -> SqlCondition:
    """The condition that a filter means at the table of the campaign. Raises BadFilter with a caret under the fault."""
    return read(text, zone=lambda: context.zone().rules, people=context.people)


def unknown_names(context: CommandContext, read_model: LogRows, campaign: CampaignId, text: str) -> str:
    """Names in a filter that do not occur in this log, with the nearest that do; "" if all of them occur."""
    for field, value in named(text):
        if is_party_word(value):
            return f"A filter names characters one by one, so not {value!r}: {field}=robin,marian"
        known = set(map(context.by_name, read_model.names(campaign, NAMED[field])))
        if not any(caseless(name).startswith(caseless(value)) for name in known):
            return str(not_found("character" if field in ("who", "target") else field, value, sorted(known)))
    return ""


def check_says_something(text: str) -> None:
    """Raise BadFilter for an empty filter."""
    if not text.strip():
        raise BadFilter("", 0, "The filter is empty. Say which actions: 'who=ogre scene=3'")


def fitting_actions(context: CommandContext, text: str, *, undone: bool = False) -> tuple[ActionNumber, ...]:
    """The actions that fit a filter: those that count and can be undone, or with ``undone`` those that are undone.

    Raises BadFilter, also for an empty one, and NotFound if none fits.
    """
    check_says_something(text)
    where, campaign, seen = meant(context, text), context.campaign(), context.seen()
    if seen is campaign:
        context.project()
    log = context.read_model if seen is campaign else seen.read_model
    fitting = {
        line.action for line in log.log(campaign.id, where=where) if line.status == (UNDONE if undone else COUNTS)
    }
    if not undone:
        fitting &= {*correctable(campaign, fitting)}
    if not fitting:
        which = "is undone" if undone else "counts"
        raise NotFound(
            f"No action that {which} fits: {text}. {unknown_names(context, log, campaign.id, text)}".rstrip()
        )
    return tuple(sorted(fitting))


def correctable(campaign: CampaignView, actions: Iterable[ActionNumber]) -> tuple[ActionNumber, ...]:
    """Those of some actions that count and can be undone."""
    history, state = campaign.session.history.look_back(), campaign.state
    return tuple(
        action
        for action in actions
        if history.effective(action) and not campaign.session.rulebook.is_final(state, history.intent_of(action))
    )


def last_correctable(
    campaign: CampaignView, seat: SeatName = "", fits: Callable[[str], bool] = lambda _: True
) -> ActionNumber:
    """The last action that counts and can be undone, of one ``seat`` if it is named, of a verb that ``fits``; 0 for none."""
    history = campaign.session.history.look_back()
    actions = (
        action
        for action in history.backwards()
        if (not seat or history.seat_of(action) == seat) and fits(history.intent_of(action).verb)
    )
    return next((action for action in actions if correctable(campaign, (action,))), 0)


def undo_ranges(words: Sequence[str]) -> tuple[Ranges, str]:
    """Read ``12 14-20``, ``last`` or ``correction``, and the verb of ``last attack``. Raises BadValue."""
    verb = last_of(words[:1] == (LAST_WORD,), words[1:])
    numbers = words[:1] if verb else words
    return tuple(CORRECTION if word == "correction" else action_range_param(word) for word in numbers), verb


def last_of(is_last: bool, words: Sequence[str]) -> str:
    """The verb after ``last``, as in ``last attack``; "" if a number, a change, ``last`` or nothing follows."""
    is_verb = is_last and words and "=" not in words[0] and not words[0].lstrip("#")[:1].isdecimal()
    return words[0] if is_verb and words[0] not in (LAST_WORD, "correction") else ""


def to_undo(
    context: CommandContext, numbers: Ranges, where: str | None, seat: str | None, verb: str = ""
) -> tuple[ActionNumber, ...]:
    """The actions to undo; for a player's seat, the last (of a ``verb`` if there is one) is the last of that seat.

    Raises NotFound if there is none, BadFilter.
    """
    if verb and where is None:
        return (number_of(context, 0, _player(context, seat), verb),)
    return _named(context, numbers, where, seat)


def to_redo(context: CommandContext, numbers: Ranges, where: str | None, seat: str | None) -> tuple[ActionNumber, ...]:
    """The actions to redo; for a player's seat, the last is what that seat undid last. Raises NotFound, BadFilter."""
    return _named(context, numbers, where, seat, undone=True)


def _named(
    context: CommandContext, numbers: Ranges, where: str | None, seat: str | None, *, undone: bool = False
) -> tuple[ActionNumber, ...]:
    if where is not None:
        return fitting_actions(context, where, undone=undone)
    whose = _player(context, seat)
    found = (each for low, high in numbers or LAST for each in _between(context, low, high, whose, undone=undone))
    return tuple(dict.fromkeys(found))


def _player(context: CommandContext, seat: str | None) -> SeatName:
    """The seat if it is a player's, whose last actions are its own; "" for a GM's. Raises NotFound."""
    campaign = context.campaign()
    name = campaign.seat(seat)
    sitting = campaign.state.seats.get(name)
    return "" if sitting is None or sitting.role is Role.GM else name


def number_of(context: CommandContext, action: ActionNumber, seat: SeatName = "", verb: str = "") -> ActionNumber:
    """The number of an action, 0 being the last that can be corrected, of a seat and a verb if they are named.

    Raises NotFound, before there is any question.
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
    context: CommandContext, low: ActionNumber, high: ActionNumber, seat: SeatName, *, undone: bool
) -> tuple[ActionNumber, ...]:
    """One action, or those in a range that are undone, or count and can be undone. Raises NotFound if there is none."""
    history = context.history()
    if undone and not low:
        return (last_undone(history, seat),)
    if low == high:
        return (number_of(context, low, seat),)
    named = range(low, min(high, history.actions) + 1)
    found = correctable(context.campaign(), named)
    if undone:
        found = tuple(action for action in named if history.effective(action) is None)
    if not found:
        which = "is undone" if undone else "counts and can be undone"
        raise NotFound(f"None of the actions #{low} to #{high} {which}.")
    return found
