"""What if: timelines that leave a campaign, are played on, compared with it, and never copied into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk
from adapters.cli.options import completions, desk_of, pass_desk, seat_names, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from domain.events import Scalar
    from domain.history import Entry
    from domain.timelines import Asked, Plan


def _rulesets(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return completions(lambda: sorted(desk_of(ctx).book().rulebook.rulesets), incomplete)


def _timelines(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
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
    show_what_if.comparison(desk, book, report, everything=everything)


@click.command(short_help="What differs on a timeline, against canon: outcomes, deaths, XP, tokens, sheets.")
@click.argument("timeline", required=False, metavar="[TIMELINE]", shell_complete=_timelines)
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
        report = compared(desk.book(), _meant(desk, timeline))
    show_what_if.comparison(desk, desk.book(), report, everything=everything)


def _meant(desk: Desk, named: str | None) -> CampaignBook:
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


@click.command(
    "take-over", short_help="Have canon choose as a timeline did, one choice at a time, with canon's own dice."
)
@click.argument("timeline", metavar="TIMELINE", shell_complete=_timelines)
@click.option("--keep-later", is_flag=True, help="Keep what canon did after the last choice that both made.")
@click.option("--preview", "only_look", is_flag=True, help="Only show what would be asked, and what it would change.")
@click.option("-y", "--yes", is_flag=True, help="Take over every choice without asking.")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who corrects (default: the GM).")
@click.option("--why", metavar="TEXT", default="", help="The reason; it is kept with the correction.")
@shared
@pass_desk
def take_over(
    desk: Desk, /, timeline: str, *, keep_later: bool, only_look: bool, yes: bool, seat: str | None, why: str
) -> None:
    """Ask canon for the choices of a timeline. Nothing of what happened there is copied.

    What canon did and the timeline did not is taken back; what both did in different ways is changed; what only the timeline did
    is done anew, at canon's end. All of it with canon's own dice, so that nothing is gained by having looked.
    """
    from adapters.cli import show_what_if
    from adapters.timelines.taking_over import plan_of

    fork_ = _meant(desk, timeline)
    assert fork_.fork is not None
    with desk.wait("Comparing …"):
        canon, wanted = plan_of(desk.book(), fork_, keep_later=keep_later)
    _check_can_ask(desk, only_look=only_look, yes=yes, why=why)
    if not desk.json:
        show_what_if.plan(desk, canon, fork_, wanted)
    if not wanted.asked:
        _nothing(desk, fork_, canon, wanted)
        return
    if not (only_look or yes):
        wanted = _chosen(desk, canon, fork_, wanted)
        why = why or (click.prompt("Why") if wanted.asked else "")
    _carry_out(desk, canon, fork_, wanted, {"seat": seat, "reason": why}, only_look=only_look, yes=yes)


def _nothing(desk: Desk, timeline: CampaignBook, canon: CampaignBook, wanted: Plan) -> None:
    from adapters.cli import show_what_if

    if desk.json:
        desk.data(show_what_if.plan_data(canon, timeline, wanted, applied=False))
    else:
        desk.say(f"{canon.id} chose as {timeline.id} did, as far as it can be asked to.")


def _check_can_ask(desk: Desk, *, only_look: bool, yes: bool, why: str) -> None:
    if only_look:
        return
    if not yes and not desk.is_interactive:
        raise click.UsageError(
            "Nobody is there to be asked. Add --yes to take everything over, or --preview to see it."
        )
    if yes and not why:
        raise click.UsageError("A correction needs its reason: add --why TEXT.")


def _chosen(desk: Desk, canon: CampaignBook, timeline: CampaignBook, wanted: Plan) -> Plan:
    """The choices that somebody agrees to, asked one by one."""
    import attrs

    from adapters.cli import show_what_if

    agreed: list[Asked] = []
    for one in wanted.asked:
        desk.say(show_what_if.asked(canon, timeline, one))
        if click.confirm("  Take this over?", default=False):
            agreed.append(one)
    return attrs.evolve(wanted, asked=tuple(agreed))


def _carry_out(
    desk: Desk,
    canon: CampaignBook,
    timeline: CampaignBook,
    wanted: Plan,
    how: dict[str, Any],
    *,
    only_look: bool,
    yes: bool,
) -> None:
    """One correction for what canon did otherwise, then the new actions, one by one."""
    from adapters.cli import show_what_if
    from adapters.cli.faults import Exit, Partly
    from adapters.cli.show_preview import preview
    from domain.dice_supply import DiceNeeded

    changes = wanted.changes
    made = None
    if changes:
        try:
            made = canon.preview(changes, **how, draw=yes and not only_look)
        except DiceNeeded as needed:
            desk.remark(f"{needed} That is asked when it is done.")
            if not only_look and click.confirm("Draw it? A drawn die stays on record", default=False):
                made = canon.preview(changes, **how, draw=True)
            elif not only_look:
                desk.say("Nothing was taken over.")
                return
    if made is not None and not desk.json:
        preview(desk, canon, made)
    done = not only_look and bool(wanted.asked) and (yes or click.confirm("Apply?", default=False))
    taken: list[Entry] = []
    refusal = ""
    if done:
        if made is not None:
            canon.apply(made)
        taken, refusal = _take_anew(canon, wanted, how)
        canon.project()
    show_what_if.taken_over(desk, canon, timeline, wanted, made, taken, refusal, applied=done)
    if refusal:
        raise Partly(Exit.REFUSED)


def _take_anew(canon: CampaignBook, wanted: Plan, how: dict[str, Any]) -> tuple[list[Entry], str]:
    """The new actions, at canon's end; at the first that is refused it stops, and says which."""
    from domain.errors import RollbookError

    taken: list[Entry] = []
    for choice in wanted.anew:
        header = choice.entry.header
        params: dict[str, Scalar] = dict(choice.intent.params)
        try:
            taken.append(
                canon.do(
                    choice.intent.verb,
                    params,
                    seat=header.seat or None,
                    secret=header.visibility == "gm",
                    reason=how["reason"],
                )
            )
        except RollbookError as why:
            return taken, f"{choice.intent.verb} (#{choice.action} on the timeline): {why}"
    return taken, ""
