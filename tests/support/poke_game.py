"""A ruleset of two verbs without a fault, and a place to put one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from rollbook.plugin import (
    Action,
    CampaignState,
    Character,
    DiceStep,
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


def hit_points_sheet(who: Character, campaign: CampaignState) -> Sheet:
    lost = summed("lost", "Hit points lost", (Term(who.lost, "lost", path="lost"),))
    return Sheet(character=who.id, name=who.name, values=(lost,))


class Bruise(Action, verb="bruise", by_any_seat=True):
    """Hurt somebody: 1d6."""

    who: str = character("who is hurt")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if who.lost > 20:
            table.refuse(f"{who.name} is hurt enough. Choose somebody else.")
        dealt = table.roll("1d6", roller=who.id, purpose="bruise").total
        table.record(events.DamageTaken(character=who.id, amount=dealt, dealt=dealt))


def poke_game(
    resolve: Callable[[Any, Table], None] | None = None,
    *,
    sheet: Callable[[Character, CampaignState], Sheet] = hit_points_sheet,
    settings: type[Any] = NoSettings,
    verb: str = "poke",
    doc: str | None = "Poke somebody.",
    more: tuple[type[Action], ...] = (),
    typed_dice: tuple[DiceStep, ...] = (),
) -> Ruleset:
    """A game of two verbs, of which ``poke`` does as it is told."""

    class Poke(Action, by_any_seat=True):
        who: str = character("who is poked")
        hard: int = number("how hard", default=1, minimum=1, maximum=6)

    Poke.verb = verb
    Poke.typed_dice = typed_dice
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


def resolve_in_set_order(self: Any, table: Table) -> None:
    """Record what comes first in a set, which differs in every process."""
    first = next(iter({f"{self.who} {word}" for word in ("laughs", "cries", "sneezes", "sleeps", "sings")}))
    table.record(events.NoteWritten(text=first, about=table.character(self.who).id))


@cache
def _cached_file() -> str:
    return Path(__file__).read_text(encoding="utf-8")[:3]


def resolve_from_cache(self: Any, table: Table) -> None:
    """Record a file from a cache, which hides that it was read."""
    table.record(events.NoteWritten(text=_cached_file(), about=table.character(self.who).id))


POKE_GAME = poke_game()
SET_ORDER_GAME = poke_game(resolve_in_set_order)
CACHING_GAME = poke_game(resolve_from_cache)
