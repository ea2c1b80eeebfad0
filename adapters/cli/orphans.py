"""Actions that a correction makes impossible: which of them are kept and which are taken back, said or asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from adapters.cli.desk import Desk
    from domain.corrections import Orphans, Preview


def fates(how: dict[str, Any]) -> dict[int, Orphans]:
    """What was said of single orphans."""
    from domain.corrections import Orphans

    both = set(how["kept"]) & set(how["voided"])
    if both:
        raise click.UsageError(f"#{min(both)} is to be kept and to be taken back. Say one of the two.")
    return dict.fromkeys(how["kept"], Orphans.KEEP) | dict.fromkeys(how["voided"], Orphans.VOID)


DECISIONS = {
    "k": "keep it as a ruling",
    "v": "take it back too",
    "K": "keep all the rest",
    "V": "take all the rest back",
}


def decided(desk: Desk, how: dict[str, Any], again: Callable[[], Preview], made: Preview) -> Preview:
    """Ask of every orphan what becomes of it. What is kept may make a later one possible, so it is previewed again."""
    from adapters.cli.show_preview import preview
    from domain.corrections import Fate, Orphans

    if how["only_look"] or how["yes"] or how["orphans"] or not desk.is_interactive:
        return made
    shown = made
    asked = ", ".join(f"{key} {meaning}" for key, meaning in DECISIONS.items())
    while True:
        waiting = [orphan for orphan in made.of(Fate.ORPHANED) if orphan.action not in how["fates"]]
        if not waiting:
            break
        answer = click.prompt(f"#{waiting[0].action}: {asked}", type=click.Choice(list(DECISIONS)), default="v")
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
        preview(desk, desk.campaign(), made)
    return made
