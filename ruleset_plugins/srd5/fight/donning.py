"""Putting armour and shields on and taking them off: what it takes, and one of each at a time (R5.272, R5.273)."""

from collections.abc import Callable

from rollbook.kit import clock, equipment
from rollbook.plugin import Character, Table, events, flag, gear, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Item, kinds
from rollbook.rulesets.srd5.fight import armour, durations, turns

CARRIED = "carried"
"""The use of armour and shields that are not worn, before their key."""

SORTS = (equipment.ARMOUR, equipment.SHIELD, CARRIED)


def carried(who: Character) -> tuple[str, ...]:
    """The things of a character that are armour or a shield."""
    return tuple(item for item, use in equipment.carried(who) if row_of(item, use) is not None)


def row_of(item: str, use: equipment.Use) -> tuple[str, kinds.Armour] | None:
    """The key and the row of a thing that can be worn, by its use or its name; None for others."""
    key = use[1] if len(use) > 1 and use[0] in SORTS else slug(item)
    row = catalogue.equipment().get(key)
    return (key, row.armour) if row is not None and row.armour is not None else None


def use_of(row: Item, *, worn: bool = True) -> equipment.Use:
    """The use that a thing of the catalogue is given with: worn or carried armour, a weapon, () for other things."""
    if row.armour is not None:
        sort = equipment.SHIELD if row.armour.training == "shield" else equipment.ARMOUR
        return (sort if worn else CARRIED, row.key)
    return (equipment.WEAPON, row.key) if row.weapon is not None else ()


ON_WEARING: list[Callable[..., object]] = []
"""Functions of table, id and words of the catalogue for what ends when somebody has put armour on."""


class Wear(turns.OwnVerb, verb="wear"):
    """Put on armour or a shield, or take it off: an action for a shield, minutes for armour (R5.272)."""

    sentence = "takes off {item:the}{off:if}|puts on {item:the}"

    item: str = gear("which armour or shield", fits=carried, gm_only=False)
    off: bool = flag("it is taken off", gm_only=False)

    def resolve(self, table: Table) -> None:
        who = turns.check_able(table, self.who)
        item = equipment.called(who, self.item)
        held = who.gear.get(item)
        found = row_of(item, held.use) if held is not None and held.count > 0 else None
        if held is None or found is None:
            table.refuse(f"{who.name} has no armour or shield called {self.item}.", "item")
        key, row = found
        sort = equipment.SHIELD if row.training == "shield" else equipment.ARMOUR
        worn = armour.shield_of(who)[0] if sort == equipment.SHIELD else armour.armour_of(who)[0]
        if self.off != (worn == item):
            how = f"does not wear {item}" if self.off else f"wears {item} already"
            table.refuse(f"{who.name} {how}.", "item")
        if worn and not self.off:
            how = f"wear {who.id} {worn!r} --off"
            table.refuse(f"{who.name} wears {worn}, and only one at a time counts: {how}", "item")
        if not self.out_of_turn:
            self._take_time(table, who, row.doff if self.off else row.don)
        use = (CARRIED if self.off else sort, key, *held.use[2:])
        table.record(events.GearGained(character=who.id, item=item, count=0, use=use))
        for follow in ON_WEARING if not self.off and sort == equipment.ARMOUR else ():
            follow(table, who.id, "wears armour", f"{row.training} armour")

    @staticmethod
    def _take_time(table: Table, who: Character, span: str) -> None:
        """Take an action or so many minutes, which nobody has in a fight."""
        seconds = durations.seconds(span)
        if not seconds:
            turns.take(table, who.id, turns.ACTION)
        elif table.encounter is not None and who.id in table.encounter.order:
            table.refuse(f"That takes {span}, which nobody has in a fight.")
        else:
            clock.advance(table, seconds)
