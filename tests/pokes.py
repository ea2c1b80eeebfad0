"""A game of two verbs, with nothing wrong, and a place where something can be made wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Campaign,
    Character,
    NoSettings,
    Ruleset,
    Sheet,
    Table,
    Term,
    character,
    events,
    number,
    summed,
)


def plain(who: Character, campaign: Campaign) -> Sheet:
    lost = summed("lost", "Hit points lost", (Term(who.lost, "lost", path="lost"),))
    return Sheet(character=who.id, name=who.name, values=(lost,))


@attrs.frozen(kw_only=True)
class Bruise(Action):
    """Hurt somebody: 1d6."""

    verb: ClassVar[str] = "bruise"

    who: str = character("who is hurt")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if who.lost > 20:
            table.refuse(f"{who.name} is hurt enough. Choose somebody else.")
        dealt = table.roll("1d6", roller=who.id, purpose="bruise").total
        table.record(events.DamageTaken(character=who.id, amount=dealt, dealt=dealt))


def game(
    resolve: Callable[[Any, Table], None] | None = None,
    *,
    sheet: Callable[[Character, Campaign], Sheet] = plain,
    settings: type[Any] = NoSettings,
    verb: str = "poke",
    doc: str | None = "Poke somebody.",
    more: tuple[type[Action], ...] = (),
) -> Ruleset:
    """A game of two verbs, of which ``poke`` does as it is told."""

    @attrs.frozen(kw_only=True)
    class Poke(Action):
        who: str = character("who is poked")
        hard: int = number("how hard", default=1, minimum=1, maximum=6)

    Poke.verb = verb
    Poke.__doc__ = doc
    Poke.resolve = resolve or Bruise.resolve  # type: ignore[method-assign, assignment]
    return Ruleset(
        key="pokes",
        title="Pokes",
        version="1",
        summary="A game.",
        actions=(Bruise, Poke, *more),
        sheet=sheet,
        settings=settings,
    )


POKES = game()
