"""stats: the dice that fell, and how lucky that was."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Choice, Words, argument, command, option, paged
from rollbook.adapters.line_commands.filters import fitting_entries
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.options import at_option, seat_option, suggest_characters
from rollbook.adapters.line_commands.views.stats import StatsView, show_stats, stats_json
from rollbook.adapters.presentation.plain_text import names_in
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import not_found
from rollbook.domain.events import Role
from rollbook.projections.luck import Throws, gather, report
from rollbook.projections.luck.report import BY


@command()
@argument("words", nargs=-1, metavar="[FILTER ...]")
@option(
    "--by",
    kind=Choice(BY),
    help="What to group by (default: seat; on one's own page, or if one seat rolled everything: character).",
)
@seat_option("Only what one seat rolled: a player's own page.")
@option("--who", metavar="WHO", default="", suggest=suggest_characters, help="Only what one character rolled.")
@at_option
@option("--details", is_flag=True, help="Every size of die in full, and the order in which typed dice fell.")
@paged
def stats(
    context: CommandContext, words: Words, by: str | None, seat: str | None, who: str, moment: Moment, details: bool
) -> None:
    """Dice and luck: faces, totals against the exact odds of each roll, targets met, session by session.

    Advantage, keeps and rerolls are accounted for exactly. Dice of the committed stream are proven by arithmetic; only of
    what people chose themselves (dice they typed in, rolls they set aside) is it asked whether it looks uneven. Without
    --seat this is the GM's page.

    \b
    rollbook stats --by character        who rolled how
    rollbook stats --seat mira           mira's own page, without the others and without secret dice
    rollbook stats session=3 verb=attack only some actions (docs/filters.md)
    rollbook stats --at s2               up to the end of session 2
    """
    campaign = moment.campaign
    with context.bar("Reading the history"):
        every = _throws_at(context, moment, words)
        sitting = "" if seat is None else _seat_named(campaign, every, seat)
        is_of_one_seat = (
            len({throw.seat for throw in every.counting}) < 2
        )  # as with one keyboard: then seats say nothing
        by = by or ("character" if sitting or who or is_of_one_seat else "seat")
        party = report(every, by).party
        found = report(_visible_throws(campaign, every, sitting, who), by)
    view = StatsView(
        by=by, party=party, names=names_in(campaign.state), of=sitting or who, is_filtered=bool(words), details=details
    )
    if context.json:
        context.data(stats_json(campaign.id, found, view))
    else:
        show_stats(context, campaign.state.name, found, view)


def _throws_at(context: CommandContext, moment: Moment, words: Words) -> Throws:
    """The rolls up to a moment, of the actions that fit a filter. Raises BadFilter with a caret under the fault."""
    history = moment.history()
    is_played = history.is_played_by(moment.action)
    throws = gather(history).only(lambda throw: is_played(throw.action))
    if not words:
        return throws
    campaign, read_model = moment.asked()
    entries = fitting_entries(context, read_model, campaign, " ".join(words))
    return throws.only(lambda throw: throw.entry in entries)


def _seat_named(campaign: CampaignView, throws: Throws, name: str) -> str:
    """A seat that is or was taken, in its own spelling. Raises NotFound with the nearest."""
    sitting = find_seat(campaign.state, name)
    if sitting not in {*campaign.state.seats, *(throw.seat for throw in throws.counting)} - {""}:
        raise not_found("seat", name, sorted(campaign.state.people))
    return sitting


def _visible_throws(campaign: CampaignView, throws: Throws, sitting: str, who: str) -> Throws:
    """The rolls of one seat or character. A player's own page has none from behind the screen."""
    if who:
        character = campaign.character_id(who)
        throws = throws.only(lambda throw: throw.roll.roller == character)
    if sitting:
        seat = campaign.state.seats.get(sitting)
        sees_all = seat is not None and seat.role is Role.GM
        throws = throws.only(lambda throw: throw.seat == sitting and (sees_all or not throw.is_secret), by=sitting)
    return throws
