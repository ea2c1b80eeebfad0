"""Filters typed on the command line, and the log lines that match them."""

from collections.abc import Callable, Sequence
from datetime import tzinfo
from itertools import takewhile

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.application.history.read_model import LogRows
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber, SeatName
from rollbook.domain.base.letters import caseless
from rollbook.projections.database import COUNTS, UNDONE
from rollbook.projections.filters import NAMED, BadFilter, named, read
from rollbook.projections.session_log import LogLine, SqlCondition


def filter_of(words: Sequence[str], zone: Callable[[], tzinfo]) -> SqlCondition:
    """The filter, with days and times in a zone; no words fit everything. Raises BadFilter with a caret under the fault."""
    return read(" ".join(words), zone=zone)


def unknown_names(read_model: LogRows, campaign: CampaignId, words: Sequence[str]) -> str:
    """Names in a filter that do not occur in this log, with the nearest that do; "" if all of them occur."""
    for field, value in named(" ".join(words)):
        known = read_model.names(campaign, NAMED[field])
        if not any(caseless(name).startswith(caseless(value)) for name in known):
            return str(not_found("character" if field in ("who", "target") else field, value, sorted(known)))
    return ""


def _log_of(context: CommandContext) -> LogRows:
    """The log that who is answered may see, up to date."""
    seen = context.seen()
    if seen is not context.campaign():
        return seen.read_model
    context.project()
    return context.read_model


def _unknown(context: CommandContext, words: Sequence[str]) -> str:
    return unknown_names(_log_of(context), context.campaign().id, words)


def _sought(words: Sequence[str], zone: Callable[[], tzinfo]) -> SqlCondition:
    """A filter that says something. Raises BadFilter, also for an empty one."""
    if not "".join(words).strip():
        raise BadFilter("", 0, "The filter is empty. Say which actions: 'who=ogre scene=3'")
    return filter_of(words, zone)


def _matching_lines(context: CommandContext, words: Sequence[str]) -> list[LogLine]:
    """The lines of the log that fit a filter. Raises BadFilter, also for an empty one."""
    where = _sought(words, lambda: context.zone().rules)
    return _log_of(context).log(context.campaign().id, where=where)


def matching_entries(
    read_model: LogRows, campaign: CampaignId, words: Sequence[str], zone: Callable[[], tzinfo]
) -> frozenset[EntryNumber]:
    """The numbers of the entries that fit a filter, with times in a zone. Raises BadFilter, and NotFound if none does."""
    found = read_model.log(campaign, where=_sought(words, zone), everything=True)
    if not found:
        raise NotFound(f"Nothing fits: {' '.join(words)}. {unknown_names(read_model, campaign, words)}".rstrip())
    return frozenset(line.entry for line in found)


def entries_of_session(read_model: LogRows, campaign: CampaignId, session: int) -> frozenset[EntryNumber]:
    """The numbers of the entries of one session. Raises NotFound if there are none."""
    found = read_model.log(campaign, session=session, everything=True)
    if not found:
        last = max((line.session for line in read_model.log(campaign, last=1, everything=True)), default=0)
        raise NotFound(f"There is no session {session}; the last one is {last}.")
    return frozenset(line.entry for line in found)


def correctable(campaign: CampaignView, first: ActionNumber, last: ActionNumber) -> tuple[ActionNumber, ...]:
    """The actions between two numbers that count and can be undone."""
    history, state = campaign.session.history.look_back(), campaign.state
    return tuple(
        action
        for action, entry in takewhile(lambda found: found[0] <= last, history.outcomes(first))
        if entry and not campaign.session.rulebook.is_final(state, history.intent_of(action))
    )


def last_correctable(
    campaign: CampaignView, seat: SeatName = "", fits: Callable[[str], bool] = lambda _: True
) -> ActionNumber:
    """The last action that counts and can be undone, of one ``seat`` if it is named, of a verb that ``fits``; 0 for none."""
    history = campaign.session.history.look_back()
    actions = (
        action
        for action in range(history.actions, 0, -1)
        if (not seat or history.seat_of(action) == seat) and fits(history.intent_of(action).verb)
    )
    return next((action for action in actions if correctable(campaign, action, action)), 0)


def matching_actions(context: CommandContext, words: Sequence[str]) -> tuple[ActionNumber, ...]:
    """The actions that count, can be undone and fit a filter. Raises BadFilter, and NotFound if none does."""
    fitting = {line.action for line in _matching_lines(context, words) if line.status == COUNTS}
    campaign = context.campaign()
    found = tuple(
        action for action in correctable(campaign, 1, campaign.session.history.look_back().actions) if action in fitting
    )
    if not found:
        raise NotFound(f"No action that counts fits: {' '.join(words)}. {_unknown(context, words)}".rstrip())
    return found


def matching_undone(context: CommandContext, words: Sequence[str]) -> tuple[ActionNumber, ...]:
    """The actions that are undone and fit a filter. Raises BadFilter, and NotFound if none does."""
    found = tuple(sorted({line.action for line in _matching_lines(context, words) if line.status == UNDONE}))
    if not found:
        raise NotFound(f"No action that is undone fits: {' '.join(words)}. {_unknown(context, words)}".rstrip())
    return found
