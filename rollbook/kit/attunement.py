"""Attunement: a bond with a few things, for as long as it is kept, and the verb ``attune``.

On record: a thing that somebody is attuned to is a trait of the kind "attuned" with its name.
"""

from collections.abc import Callable

from rollbook.kit import conditions, equipment, require, verbs
from rollbook.plugin import Action, Character, Table, character, events, flag, gear

__all__ = ["ATTUNED", "attune_verb", "attuned_to", "let_go", "let_go_of_all"]

ATTUNED = "attuned"


def attuned_to(who: Character) -> tuple[str, ...]:
    """The things that somebody is attuned to."""
    return tuple(who.traits_of(ATTUNED))


def let_go(table: Table, name: str, *items: str) -> None:
    """End somebody's bonds with some things."""
    for item in items:
        table.record(events.TraitLost(character=name, trait=item, kind=ATTUNED))


def let_go_of_all(table: Table, name: str) -> None:
    """End all bonds of the dead; those of the living stay."""
    who = table.character(name)
    if who.has(conditions.DEAD):
        let_go(table, name, *attuned_to(who))


def _nothing(*_: object) -> None:
    """Refuse nothing: the check of games in which every bond can be ended."""


def attune_verb(
    fits: Callable[[Table, Character, str], object],
    *,
    help: str,
    most: Callable[[Character], int],
    ends: Callable[[Table, Character, str], object] = _nothing,
    available: Callable[[Table, str], object] = require.living,
) -> type[Action]:
    """The verb ``attune``: each check refuses what a bond needs, by table, character and thing.

    ``fits`` is for one that begins, ``ends`` for one that is let go; ``most`` are the bonds that somebody can have.
    """

    class Attune(Action, verb="attune"):
        sentence = "attunes to {item:the}{ends:if}|attunes to {item:the}"

        who: str = character("who attunes", actor=True)
        item: str = gear("to which thing", fits=lambda who: who.gear, gm_only=False)
        ends: bool = flag("the bond is let go", gm_only=False)

        check_available = verbs.available_if(available)

        def resolve(self, table: Table) -> None:
            available(table, self.who)
            who = require.living(table, self.who)
            item, held = equipment.called(who, self.item), attuned_to(who)
            if self.ends:
                if item not in held:
                    table.refuse(f"{who.name} is attuned to: {', '.join(held) or 'nothing'}.", "item")
                ends(table, who, item)
                let_go(table, who.id, item)
                return
            if item not in who.gear:
                table.refuse(f"{who.name} has no {self.item} to attune to.", "item")
            fits(table, who, item)
            if item in held or len(held) >= most(who):
                told = f"{who.name} is attuned to {', '.join(held)}; {most(who)} things are the most."
                table.refuse(f"{told} Let go with: attune --ends", "item")
            table.record(events.TraitGained(character=who.id, trait=item, kind=ATTUNED))

    Attune.__doc__ = help
    return Attune
