"""fork, timelines, rerun and compare."""

from rollbook.adapters.line_commands import options
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Words, argument, command, option, paged
from rollbook.adapters.line_commands.filters import correctable
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.views.timelines import show_comparison, show_new_timeline, show_timelines
from rollbook.application.lines.verb_line import pairs
from rollbook.application.timelines import forking
from rollbook.application.timelines.comparing import compare as compared
from rollbook.application.timelines.forking import summaries
from rollbook.application.timelines.rerun import rerun as played_again


@command()
@options.at_option
@option("--ruleset", metavar="KEY", default="", suggest=options.suggest_rulesets, help="Play on by another game there.")
@options.rules_option("Another house rule there.")
@options.why_option("What it is to find out; it is kept.")
def fork(context: CommandContext, ruleset: str, rules: Words, why: str, *, moment: Moment) -> None:
    """Make a timeline that begins with the campaign as it was at a moment. Canon does not change, and nothing is copied.

    A request for dice that canon made after that moment gets canon's dice. Every other request gets dice of the timeline's
    own, so that nobody learns what canon would roll next.

    With --as-corrected the timeline keeps the corrections made since: it leaves canon now, and the later actions are
    undone there. What can never be undone, such as opening a session, stays.

    \b
    rollbook fork --at 21 --why "what if Robin had shot at the guard?"
    rollbook -c sherwood~1 do attack robin guard longbow
    rollbook compare
    """
    parent, book = moment.campaign, context.book()
    settings = pairs(rules)
    with context.bar("Reading the history"):
        made = forking.fork(book, parent, None if moment.is_now or moment.corrected else moment.entry, why)
        played = made.history.order_of(moment.action) if moment.corrected and moment.action else 0
        after = (action for action, _ in made.history.outcomes_after(played)) if moment.corrected else ()
        later = correctable(made, after)
        if later:
            made.corrections.undo(*later, reason=f"forked {moment.title}").apply()
    if ruleset:
        made.do("adopt", {"ruleset": ruleset, "settings": settings}, reason=why)
    elif settings:
        made.do("house-rules", {"settings": settings}, reason=why)
    elif not later:
        forking.begin(made)
    context.select_campaign(book.campaign(options.root_campaign(parent)))
    show_new_timeline(context, forking.summary(book.campaign(made.id), book), book.campaign(made.id))


@command()
@paged
def timelines(context: CommandContext) -> None:
    """The timelines of the campaign, oldest first. They are kept; nothing of them counts on canon."""
    book = context.book()
    root = options.root_campaign(context.campaign())
    with context.bar("Reading"):
        found = summaries(book, root)
    if context.json:
        context.data(*found)
    elif found:
        show_timelines(context, found)
    else:
        context.print(f"{root} has no timelines yet. Make one: rollbook fork --at N")


@command()
@option("--ruleset", metavar="KEY[@VERSION]", required=True, suggest=options.suggest_rulesets, help="The rules to try.")
@options.rules_option("A house rule there.")
@options.why_option("What it is to find out; it is kept.")
@option("--all", "everything", is_flag=True, help="List everything, however long it gets.")
def rerun(context: CommandContext, ruleset: str, rules: Words, why: str, everything: bool) -> None:
    """Play every action of the campaign again by other rules, on a timeline that starts at the beginning.

    Each action keeps its number, and the dice that it rolled as far as they fit; further dice come from the timeline's own
    stream. Actions that have no meaning there are listed with the reason. A character made in a way that the other rules do
    not know is converted as by "rollbook adopt". The report is that of "rollbook compare".

    \b
    rollbook rerun --ruleset storytoken            by the installed version: what would the new one change?
    rollbook rerun --ruleset powers --set crit_fail_margin=10
    """
    book, canon = context.book(), context.campaign()
    with context.bar("Playing it all again"):
        made = played_again(book, canon, ruleset, pairs(rules), why)
        report = compared(book, made)
    hint = f"It is kept as timeline {made.id}: rollbook -c {made.id} log"
    show_comparison(context, book, report, everything=everything, hint=hint)


@command()
@argument("timeline", required=False, metavar="[TIMELINE]", suggest=options.suggest_timelines)
@option("--all", "everything", is_flag=True, help="List everything, however long it gets.")
@paged
def compare(context: CommandContext, timeline: str | None, everything: bool) -> None:
    """Compare a timeline, by its number, with what it was forked from; the newest one, if none is named.

    Choices that are the same on both are set side by side, whatever came of them; then follows what was chosen only on one.
    """
    with context.bar("Comparing"):
        report = compared(context.book(), options.timeline_named(context, timeline))
    show_comparison(context, context.book(), report, everything=everything)
