"""Shows the preview of a correction, asks for confirmation and for orphans, and applies it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from adapters.cli.views.preview import preview_data, show_preview
from domain.corrections import Effect, Orphans
from domain.dice import parse_faces
from domain.dice.supply import DiceNeeded

if TYPE_CHECKING:
    from adapters.cli.context import CliContext
    from domain.corrections import Preview


def chosen_orphans(how: dict[str, Any]) -> dict[int, Orphans]:
    """What was said of single orphans."""
    both = set(how["kept"]) & set(how["voided"])
    if both:
        raise click.UsageError(f"#{min(both)} is to be kept and to be taken back. Say one of the two.")
    return dict.fromkeys(how["kept"], Orphans.KEEP) | dict.fromkeys(how["voided"], Orphans.VOID)


ORPHAN_ANSWERS = {
    "k": "keep it as a ruling",
    "v": "take it back too",
    "K": "keep all the rest",
    "V": "take all the rest back",
}


def ask_about_orphans(cli: CliContext, how: dict[str, Any], again: Callable[[], Preview], made: Preview) -> Preview:
    """Ask of every orphan what becomes of it. What is kept may make a later one possible, so it is previewed again."""
    if how["only_look"] or how["yes"] or how["orphans"] or not cli.is_interactive:
        return made
    shown = made
    asked = ", ".join(f"{key} {meaning}" for key, meaning in ORPHAN_ANSWERS.items())
    while True:
        waiting = [orphan for orphan in made.of(Effect.ORPHANED) if orphan.action not in how["fates"]]
        if not waiting:
            break
        answer = click.prompt(f"#{waiting[0].action}: {asked}", type=click.Choice(list(ORPHAN_ANSWERS)), default="v")
        fate = Orphans.KEEP if answer in "kK" else Orphans.VOID
        if answer in "KV":
            how["orphans"] = fate
        else:
            how["fates"][waiting[0].action] = fate
        if fate is Orphans.KEEP:
            made = again()
        if answer in "KV":
            break
    if made is not shown:
        show_preview(cli, cli.campaign(), made)
    return made


def make_correction(
    cli: CliContext, how: dict[str, Any], preview_of: Callable[[dict[str, Any]], Preview], done: str
) -> None:
    """Preview, ask, apply."""
    campaign = cli.campaign()
    _check_can_ask(cli, how)
    before = campaign.head.entry
    how["fates"] = chosen_orphans(how)
    made = _preview_with_dice(cli, how, preview_of)
    if not cli.json:
        show_preview(cli, campaign, made)
        made = ask_about_orphans(cli, how, lambda: _preview_with_dice(cli, how, preview_of), made)
    told = preview_data(campaign, made, applied=False) if cli.json else {}
    applied = how["only_look"] is False and (how["yes"] or click.confirm("Apply?", default=False))
    if applied:
        campaign.apply(made)
        cli.project()
    if cli.json:
        cli.data({**told, "applied": applied})
    elif not applied:
        drawn = made.base - before
        cli.print(
            "The dice that were drawn stay on record; nothing else was recorded." if drawn else "Nothing was recorded."
        )
    elif not cli.brief:
        cli.print(f"{done}. The log keeps what was there before.")


def _check_can_ask(cli: CliContext, how: dict[str, Any]) -> None:
    if how["only_look"]:
        return
    if not how["yes"] and not cli.is_interactive:
        raise click.UsageError("Nobody is there to be asked. Add --yes to make the correction, or --preview to see it.")
    if not how["why"]:
        if how["yes"] or not cli.is_interactive:
            raise click.UsageError("A correction needs its reason: add --why TEXT.")
        how["why"] = click.prompt("Why")


def _preview_with_dice(cli: CliContext, how: dict[str, Any], make: Callable[[dict[str, Any]], Preview]) -> Preview:
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
        with cli.wait("Playing it again …"):
            return make(said)
    except DiceNeeded as needed:
        if not cli.is_interactive:
            raise
        cli.print(str(needed))
        typed = click.prompt("Faces; nothing draws them now, and a drawn die stays", default="", show_default=False)
        how["dice"], how["draw"] = parse_faces(typed) if typed.strip() else None, not typed.strip()
        return make({**said, "typed": how["dice"], "draw": how["draw"]})
