"""Handing things over, looting and picking up, never more than a character can carry (R3.34)."""

from functools import partial

from rollbook.kit import conditions, equipment, fields, require, verbs, vocabulary
from rollbook.plugin import Action, Character, CharacterKind, Condition, Table, events, param
from rollbook.rulesets.russell.delve import encumbrance, lanterns, light, light_sources, usage_dice
from rollbook.rulesets.russell.fight.criticals import FALLEN
from rollbook.rulesets.russell.fight.movement import range_between
from rollbook.rulesets.russell.fight.turns import take_action
from rollbook.rulesets.russell.settings import house
from rollbook.rulesets.russell.wealth.treasure import is_treasure


class Loot(Action, verb="loot"):
    """Take coins and treasure from a chest or from somebody who cannot object, as much as can be carried."""

    sentence = "takes {item:many} from {source}|loots {source}"

    who: str = param.character("who takes it", actor=True)
    source: str = param.character("who or what has it")
    item: str = param.label("only this", default="", gm_only=False, of=vocabulary.THING)
    count: int = param.number("only this many; 0: all", default=0, minimum=0, maximum=1_000_000, gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        require.living(table, who)
        require.any_of(table.everybody(), partial(_check_helpless, table))

    def resolve(self, table: Table) -> None:
        who, source = require.living(table, self.who), table.character(self.source)
        _check_helpless(table, source)
        settings, only = house(table), equipment.called(source, self.item)
        found = {
            item: held.count
            for item, held in source.gear.items()
            if held.count > 0 and (item == only or (not only and is_treasure(item, held.use, settings)))
        }
        if not found:
            table.refuse(f"{source.name} has no {self.item or 'coins or treasure'} to take.", "item")
        left = dict(found)
        for item, count in found.items():
            taken = self.count or encumbrance.most_that_fit(table, who, item, count, source.gear[item].use)
            if taken:
                hand_on(table, source, who, item, taken)
                who = table.character(who.id)
                left[item] -= taken
        if left == found:
            encumbrance.check_can_carry(table, who, *next(iter(found.items())), source.gear[next(iter(found))].use)
        stays = ", ".join(f"{count} {item}" for item, count in left.items() if count > 0)
        if stays and not self.count:
            table.record(events.NoteWritten(text=f"{who.name} cannot carry it all, and leaves {stays}"))


def hand_on(table: Table, giver: Character, taker: Character, item: str, count: int) -> None:
    """Things pass from one to another with their wear and their light. Refused if too few or too many to carry."""
    held = encumbrance.check_has(table, giver, item, count)
    encumbrance.check_can_carry(table, taker, item, count, held.use)
    usage_dice.hand_on_use(table, giver, taker, item, count)
    burns = light_sources.hand_on_light(table, giver, taker, item, count)
    if count == held.count and lanterns.clipped_lantern(giver) == item:
        conditions.end(table, giver.id, lanterns.CLIPPED)
    table.record(
        events.GearLost(character=giver.id, item=item, count=count),
        events.GearGained(character=taker.id, item=item, count=count, use=held.use),
    )
    if burns:
        light.settle_light(table)


def _check_helpless(table: Table, source: Character) -> None:
    helpless = source.has(conditions.DEAD) or source.has(conditions.HELPLESS)
    if source.kind is not CharacterKind.THING and not helpless and not require.is_gm(table):
        table.refuse(f"{source.name} can object, so only the GM can rule that it is taken from them.", "source")


class HandOver(Action, verb="hand-over"):
    """Give somebody else a thing, if they can carry it (R3.34)."""

    sentence = "hands {to} {item:many}"

    who: str = param.character("who gives it", actor=True)
    to: str = param.character("who gets it")
    item: str = param.words(
        "what", fits=lambda who: (item for item, _ in equipment.carried(who)), gm_only=False, of=vocabulary.THING
    )
    count: int = param.number("how many", default=1, minimum=1, maximum=1_000_000, gm_only=False)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who, to = require.living(table, self.who), require.living(table, self.to)
        if who.id == to.id:
            table.refuse(f"{who.name} has it already.", "to")
        hand_on(table, who, to, equipment.called(who, self.item), self.count)


class PickUp(Action, verb="pick-up"):
    """Take up a weapon that fell, which takes the action in a fight, or what the GM says lies there (R3.34)."""

    sentence = "picks up {item:many}"

    who: str = param.character("who takes it", actor=True)
    item: str = param.label("what", gm_only=False, of=vocabulary.THING)
    count: int = param.number("how many", default=1, minimum=1, maximum=1_000_000, gm_only=True)
    use: tuple[str, ...] = param.use(
        "what it is taken for, for example large, or treasure:500", default=(), gm_only=True
    )

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        found = fallen_weapon(table, who, self.item)
        if found is not None:
            self._take_fallen(table, who, *found)
            return
        if not require.is_gm(table):
            table.refuse(
                f"No {self.item} has fallen within reach of {who.name}; what else lies there the GM says.", "item"
            )
        encumbrance.check_can_carry(table, who, self.item, self.count, self.use)
        table.record(events.GearGained(character=who.id, item=self.item, count=self.count, use=self.use))

    def _take_fallen(self, table: Table, who: Character, holder: Character, fallen: Condition) -> None:
        item, use = fields.text(fallen.data, FALLEN), fields.names(fallen.data, "use")
        take_action(table, who.id)
        encumbrance.check_can_carry(table, who, item, 1, use)
        conditions.end(table, holder.id, fallen.name)
        table.record(events.GearGained(character=who.id, item=item, count=1, use=use))


def fallen_weapon(table: Table, who: Character, named: str) -> tuple[Character, Condition] | None:
    """A weapon of this name within a character's reach: the one at whose feet it lies, and the condition for it."""
    for holder in table.characters():
        for each in conditions.with_data(holder, FALLEN):
            is_near = holder.id == who.id or table.encounter is None or not range_between(table, who.id, holder.id)
            if is_near and fields.text(each.data, FALLEN).casefold() == named.casefold():
                return holder, each
    return None
