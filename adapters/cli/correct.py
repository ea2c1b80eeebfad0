"""Corrections: take back, bring back, change, think again. Each is shown before it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adapters.cli.desk import Desk
from adapters.cli.options import ACTION, FACES, character_names, pass_desk, seat_names, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from domain.corrections import Adjustment, Preview

_F = TypeVar("_F", bound=Callable[..., Any])
Faces = tuple[int, ...] | None

REROLL = "reroll"


def correcting(command: _F) -> _F:
    """The options of every correction that is previewed."""
    for option in (
        click.option("--preview", "only_look", is_flag=True, help="Only show what would change."),
        click.option("-y", "--yes", is_flag=True, help="Make the correction without asking."),
        click.option("--draw", is_flag=True, help="Draw dice that were never rolled from the open session."),
        click.option("--dice", type=FACES, metavar="FACES", help="Real dice for what was never rolled: 4,3."),
        click.option("--stand", is_flag=True, help="Leave all later actions as they are recorded."),
        click.option(
            "--orphans",
            type=click.Choice(["void", "keep"]),
            help="Later actions that are no longer possible: take all back too (the usual), or keep all as rulings.",
        ),
        click.option(
            "--keep", "kept", type=ACTION, multiple=True, metavar="N", help="Keep this one of those as a ruling."
        ),
        click.option(
            "--void", "voided", type=ACTION, multiple=True, metavar="N", help="Take this one of those back too."
        ),
        click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who corrects (default: the GM)."),
        click.option("--why", metavar="TEXT", default="", help="The reason; it is kept with the correction."),
    ):
        command = option(command)
    return command


@click.command(short_help="Take back actions; what came after is played again.")
@click.argument("numbers", nargs=-1, type=ACTION, metavar="[N ...]")
@click.option("--where", metavar="FILTER", default=None, help="Every action that fits: 'who=ogre scene=3 verb=attack'.")
@correcting
@shared
@pass_desk
def undo(desk: Desk, /, numbers: tuple[int, ...], where: str | None, **how: Any) -> None:
    """Take back actions, by number or by a filter (docs/filters.md); the last one if none is named.

    Whatever came after and depends on them is played again with the same dice. Nothing is deleted: the log keeps what
    was taken back, and by whom, and why.
    """
    campaign = desk.campaign()
    if where is not None and numbers:
        raise click.UsageError("Name actions by number or by --where, not both.")
    if where is not None:
        from adapters.cli.which import actions_that

        numbers = actions_that(desk, [where])
    wanted = tuple(number or last_correctable(desk, campaign) for number in numbers) or (
        last_correctable(desk, campaign),
    )
    make_correction(desk, how, lambda dice: campaign.undo(*wanted, **dice), "Taken back")


@click.command(short_help="Bring back an action that was taken back.")
@click.argument("action", type=ACTION, metavar="N")
@click.option("--revision", type=click.IntRange(1), default=None, help="An earlier outcome of it, by its number.")
@correcting
@shared
@pass_desk
def redo(desk: Desk, /, action: int, revision: int | None, **how: Any) -> None:
    """Bring back an action that was taken back, as it comes out now."""
    campaign = desk.campaign()
    how["why"] = how["why"] or "brought back"
    wanted = action or _last_taken_back(desk, campaign)
    make_correction(desk, how, lambda dice: campaign.redo(wanted, revision=revision or 0, **dice), "Brought back")


@click.command(short_help="Change an action; what came after is played again.")
@click.argument("action", type=ACTION, metavar="N")
@click.argument("changes", nargs=-1, metavar="[key=value ...]")
@click.option("--retype", type=FACES, metavar="FACES", help="The action's real dice, as they should have been typed.")
@click.option("--adjust", "adjusted", multiple=True, metavar="'WHO WHAT=+N'", help="Change a sheet in this action.")
@click.option("--no-adjust", "unadjusted", is_flag=True, help="Take what was adjusted in this action out of it again.")
@correcting
@shared
@pass_desk
def amend(
    desk: Desk,
    /,
    action: int,
    changes: tuple[str, ...],
    retype: Faces,
    adjusted: tuple[str, ...],
    *,
    unadjusted: bool,
    **how: Any,
) -> None:
    """Change parameters of an action, or the real dice that were typed for it, or what it left on a sheet.

    The action keeps its dice, and whatever came after and depends on it is played again with its own. WHAT is hp, the
    name of a number on the sheet, or pool:NAME.

    \b
    rollbook amend 12 target=robin distance=60 --why "it was the other one"
    rollbook amend 12 --retype 14,4 --why "a 4, not a 14"
    rollbook amend 12 --adjust "robin hp=+3" --why "the blessing was forgotten"
    """
    from adapters.spoken import amended, pairs

    campaign = desk.campaign()
    if not (changes or retype or adjusted or unadjusted):
        raise click.UsageError(
            "Say what to change, as key=value, the real dice with --retype, or a sheet with --adjust 'WHO WHAT=+N'."
        )
    number = action or last_correctable(desk, campaign)
    with desk.wait("Reading the history …"):
        before = campaign.history.state_before(number)
        intent = campaign.history.intent_of(number)
    params = amended(campaign.rulebook.verb(before, intent.verb), pairs(changes), before) if changes else {}
    more: dict[str, Any] = {
        "retype": retype or (),
        "adjustments": _adjustments(campaign, number, adjusted),
        "unadjusted": unadjusted,
    }
    make_correction(desk, how, lambda dice: campaign.amend(number, params, **more, **dice), "Changed")


def _adjustments(campaign: CampaignBook, action: int, said: tuple[str, ...]) -> tuple[Adjustment, ...]:
    """``WHO WHAT=+N``, of somebody who is there when the action is over. Raises Misspoken, NotFound."""
    from adapters.campaign_book import find_character
    from adapters.spoken import adjustment

    if not said:
        return ()
    after = campaign.history.as_corrected_to(action)
    return tuple(adjustment(one, lambda name: find_character(after, name)) for one in said)


def last_correctable(desk: Desk, campaign: CampaignBook) -> int:
    """The last action that counts and can be taken back. Raises NotFound."""
    from domain.errors import NotFound

    with desk.wait("Reading the history …"):
        history = campaign.history
    for action in range(history.actions, 0, -1):
        counts = history.effective(action) is not None
        if counts and not campaign.rulebook.is_final(campaign.state, history.intent_of(action)):
            return action
    raise NotFound("Nothing has happened yet that could be taken back.")


def _last_taken_back(desk: Desk, campaign: CampaignBook) -> int:
    from domain.errors import NotFound
    from domain.events import ActionVoided

    with desk.wait("Reading the history …"):
        history = campaign.history
    for entry in reversed(history.entries):
        if isinstance(entry.header, ActionVoided) and history.effective(entry.header.action) is None:
            return entry.header.action
    raise NotFound("Nothing is taken back at the moment, so there is nothing to bring back.")


def make_correction(
    desk: Desk, how: dict[str, Any], preview_of: Callable[[dict[str, Any]], Preview], done: str
) -> None:
    """Preview, ask, apply."""
    from adapters.cli.orphans import decided, fates
    from adapters.cli.show_preview import preview, preview_data

    campaign = desk.campaign()
    _check_can_ask(desk, how)
    before = campaign.head.entry
    how["fates"] = fates(how)
    made = _preview(desk, how, preview_of)
    if not desk.json:
        preview(desk, campaign, made)
        made = decided(desk, how, lambda: _preview(desk, how, preview_of), made)
    told = preview_data(campaign, made, applied=False) if desk.json else {}
    applied = how["only_look"] is False and (how["yes"] or click.confirm("Apply?", default=False))
    if applied:
        campaign.apply(made)
        desk.project()
    if desk.json:
        desk.data({**told, "applied": applied})
    elif not applied:
        drawn = made.base - before
        desk.say(
            "The dice that were drawn stay on record; nothing else was recorded." if drawn else "Nothing was recorded."
        )
    elif not desk.briefly:
        desk.say(f"{done}. The log keeps what was there before.")


def _check_can_ask(desk: Desk, how: dict[str, Any]) -> None:
    if how["only_look"]:
        return
    if not how["yes"] and not desk.is_interactive:
        raise click.UsageError("Nobody is there to be asked. Add --yes to make the correction, or --preview to see it.")
    if not how["why"]:
        if how["yes"] or not desk.is_interactive:
            raise click.UsageError("A correction needs its reason: add --why TEXT.")
        how["why"] = click.prompt("Why")


def _preview(desk: Desk, how: dict[str, Any], make: Callable[[dict[str, Any]], Preview]) -> Preview:
    from domain.corrections import Orphans
    from domain.dice import parse_faces
    from domain.dice_supply import DiceNeeded

    said = {
        "reason": how["why"],
        "seat": how["seat"],
        "stand": how["stand"],
        "orphans": Orphans(how["orphans"] or "void"),
        "fates": how["fates"],
        "typed": how["dice"],
        "draw": how["dice"] is None and (how["draw"] or (how["yes"] and not how["only_look"])),
    }
    try:
        with desk.wait("Playing it again …"):
            return make(said)
    except DiceNeeded as needed:
        if not desk.is_interactive:
            raise
        desk.say(str(needed))
        typed = click.prompt("Faces; nothing draws them now, and a drawn die stays", default="", show_default=False)
        how["dice"], how["draw"] = parse_faces(typed) if typed.strip() else None, not typed.strip()
        return make({**said, "typed": how["dice"], "draw": how["draw"]})


@click.command(short_help="Have a second thought on the last action, by the rules' own means.")
@click.option("--by", metavar="WHO", default="", shell_complete=character_names, help="Who pays (default: the GM).")
@click.option("--keep", metavar="best|new|old", default="", help="Which of the two rolls counts.")
@click.option("--dice", type=FACES, metavar="FACES", help="The new roll, with real dice.")
@click.option("--roll", type=click.IntRange(0), default=0, help="Which roll of the action, from 0.")
@click.option("--kind", metavar="KIND", default="", help="Which second thought, where the rules know several.")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who says so (default: the GM).")
@shared
@pass_desk
def reroll(desk: Desk, /, *, by: str, keep: str, dice: Faces, roll: int, kind: str, seat: str | None) -> None:
    """Have a second thought on the last action, as the rules allow: a story token to roll again, say.

    Its dice are seen at once, so it is recorded at once; the action comes out anew, and nothing is half applied.
    """
    from adapters.cli import show
    from adapters.cli.taking import facts
    from domain.events import Intervention

    campaign = desk.campaign()
    who = campaign.character_id(by) if by else ""
    before = campaign.state
    with desk.wait("Playing it again …"):
        thought = Intervention(kind=_kind(campaign, kind), character=who, roll=roll, keep=keep)
        entries = campaign.intervene(thought, seat=seat, typed=dice)
    desk.project()
    for entry in entries:
        line = show.line_of(campaign, entry)
        if desk.json:
            desk.data({**show.line_data(line), "facts": facts(entry)})
        else:
            show.happened(desk, line)
    if not desk.json and not desk.briefly:
        desk.say(*show.standing(before, campaign))


def _kind(campaign: CampaignBook, named: str) -> str:
    """The second thought that is meant. Raises NotFound for one that the rules do not know."""
    from domain.errors import Refused, not_found

    ruleset = campaign.rulebook.ruleset_of(campaign.state)
    known = tuple(ruleset.second_thoughts) if ruleset else ()
    if not known:
        raise Refused("The rules of this campaign know no second thoughts. Take the action back with: rollbook undo")
    if not named:
        return REROLL if REROLL in known or len(known) > 1 else known[0]
    if named not in known:
        raise not_found("second thought", named, known)
    return named
