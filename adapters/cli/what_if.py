"""What if: timelines that leave a campaign, are played on, compared with it, and never copied into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk
from adapters.cli.options import completions, desk_of, pass_desk, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook


def _rulesets(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return completions(lambda: sorted(desk_of(ctx).book().rulebook.rulesets), incomplete)


def timeline_numbers(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion for a timeline of the campaign."""
    desk = desk_of(ctx)
    return completions(
        lambda: [stream.partition("~")[2] for stream in desk.book().timelines(_root(desk.campaign()))], incomplete
    )


def _root(campaign: CampaignBook) -> str:
    """The campaign itself, whichever of its timelines is meant."""
    from adapters.timelines.marker import campaign_of

    return campaign_of(campaign.id)


class Point(click.ParamType[tuple[str, int]]):
    """Where to fork: an entry (``40``), or an action as it was taken (``#12``)."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """What sort of number, and the number."""
        text = str(value)
        number = text.removeprefix("#")
        if not (number.isascii() and number.isdecimal() and len(number) <= 12 and int(number) > 0):
            self.fail(f"{value!r} is neither an entry, such as 40, nor an action, such as '#12'.", param, ctx)
        return text[: len(text) - len(number)], int(number)


@click.command(short_help="Leave the campaign at an entry, for a what-if; canon stays as it is.")
@click.option(
    "--at", "point", type=Point(), metavar="N", help="After entry N, or after action '#N' was taken (default: now)."
)
@click.option("--ruleset", metavar="KEY", default="", shell_complete=_rulesets, help="Play on by another game there.")
@click.option("--set", "rules", multiple=True, metavar="key=value", help="Another house rule there.")
@click.option("--why", metavar="TEXT", default="", help="What it is to find out; it is kept.")
@shared
@pass_desk
def fork(desk: Desk, /, point: tuple[str, int] | None, ruleset: str, rules: tuple[str, ...], why: str) -> None:
    """Make a timeline: a what-if that begins where the campaign stood at an entry. Nothing is copied.

    A request for dice that canon made after that meets canon's dice; every other one has dice of its own, so nobody learns
    what canon would roll next. Nothing that happens on a timeline ever happens to canon by itself.

    \b
    rollbook fork --at '#21' --why "what if Robin had shot at the guard?"
    rollbook -c sherwood~1 do attack robin guard longbow
    rollbook compare
    """
    from adapters.cli import show_what_if
    from adapters.spoken import pairs
    from adapters.timelines import opening

    parent = desk.campaign()
    book = desk.book()
    settings = tuple(f"{name}={value}" for name, value in pairs(rules).items())
    with desk.wait("Reading the history …"):
        made = opening.fork(book, parent, _entry(parent, point), why)
    if ruleset:
        made.do("adopt", {"ruleset": ruleset, "settings": settings}, reason=why)
    elif settings:
        made.do("house-rules", {"settings": settings}, reason=why)
    else:
        opening.begin(made)
    desk.sit_at(book.campaign(_root(parent)))
    show_what_if.made(desk, opening.standing(book.campaign(made.id), book), book.campaign(made.id))


def _entry(parent: CampaignBook, point: tuple[str, int] | None) -> int | None:
    if point is None:
        return None
    sort, number = point
    return parent.history.revisions(number)[0].number if sort else number


@click.command(short_help="The timelines of the campaign: where they were forked, when and why.")
@shared
@pass_desk
def timelines(desk: Desk) -> None:
    """The timelines of the campaign, oldest first. They are kept; nothing of them counts on canon."""
    from adapters.cli import show_what_if
    from adapters.timelines.opening import standings

    book = desk.book()
    root = _root(desk.campaign())
    with desk.wait("Reading …"):
        found = standings(book, root)
    if desk.json:
        for one in found:
            desk.data(one)
    elif found:
        show_what_if.standings(desk, found)
    else:
        desk.say(f"{root} has no timelines yet. Make one: rollbook fork --at N")


@click.command(short_help="Play the whole campaign again by other rules, or by a newer version of its own.")
@click.option("--ruleset", metavar="KEY[@VERSION]", required=True, shell_complete=_rulesets, help="The rules to try.")
@click.option("--set", "rules", multiple=True, metavar="key=value", help="A house rule there.")
@click.option("--why", metavar="TEXT", default="", help="What it is to find out; it is kept.")
@click.option("--all", "everything", is_flag=True, help="List everything, however long it gets.")
@shared
@pass_desk
def rerun(desk: Desk, /, ruleset: str, rules: tuple[str, ...], why: str, everything: bool) -> None:
    """Take every action of the campaign once more, on a timeline from its very beginning, by other rules.

    Every action keeps its number and the dice that it rolled, as far as they fit; what the other rules roll besides comes from a
    stream of the timeline's own. What has no meaning there is listed with the reason. Whoever was made in a way that the other
    rules do not know comes over as by "rollbook adopt". The report is that of "rollbook compare".

    \b
    rollbook rerun --ruleset storytoken            by the installed version: what would the new one change?
    rollbook rerun --ruleset powers --set crit_fail_margin=10
    """
    from adapters.cli import show_what_if
    from adapters.spoken import pairs
    from adapters.timelines.comparing import compare as compared
    from adapters.timelines.rerun import rerun as played_again

    book, canon = desk.book(), desk.campaign()
    with desk.wait("Playing it all again …"):
        made = played_again(book, canon, ruleset, pairs(rules), why)
        report = compared(book, made)
    hint = f"It is kept as timeline {made.id}: rollbook -c {made.id} log"
    show_what_if.comparison(desk, book, report, everything=everything, hint=hint)


@click.command(short_help="What differs on a timeline, against canon: outcomes, deaths, XP, tokens, sheets.")
@click.argument("timeline", required=False, metavar="[TIMELINE]", shell_complete=timeline_numbers)
@click.option("--all", "everything", is_flag=True, help="List everything, however long it gets.")
@shared
@pass_desk
def compare(desk: Desk, /, timeline: str | None, everything: bool) -> None:
    """Compare a timeline, by its number, with what it was forked from; the newest one, if none is named.

    Choices that are the same on both are set side by side, whatever came of them; then follows what was chosen only on one.
    """
    from adapters.cli import show_what_if
    from adapters.timelines.comparing import compare as compared

    with desk.wait("Comparing …"):
        report = compared(desk.book(), meant(desk, timeline))
    show_what_if.comparison(desk, desk.book(), report, everything=everything)


def meant(desk: Desk, named: str | None) -> CampaignBook:
    """The timeline that is meant: by number or name, the one of -c, or the newest. Raises NotFound."""
    from domain.errors import NotFound

    campaign = desk.campaign()
    book = desk.book()
    if named:
        return book.campaign(named if "~" in named[1:] else f"{_root(campaign)}~{named.removeprefix('~')}")
    if campaign.fork is not None:
        return campaign
    known = book.timelines(campaign.id)
    if not known:
        raise NotFound(f"{campaign.id} has no timelines yet. Make one: rollbook fork --at N")
    return book.campaign(known[-1])
