"""Trade and strange things: buying, selling for half, copying spells, identifying (R5.251, R5.252, R5.279)."""

from rollbook.kit import catalogues, clock, equipment, require, verbs
from rollbook.plugin import Action, Table, character, events, gear, number, words
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.fight import donning, turns
from rollbook.rulesets.srd5.growth.purse import COINS, WORTHS
from rollbook.rulesets.srd5.magic import spells


class Buy(Action, verb="buy"):
    """Buy things at the price of the catalogue, or at the GM's (R5.251)."""

    sentence = "buys {item:the}"

    who: str = character("who buys", actor=True)
    item: str = words("what", fits=lambda _: catalogue.equipment(), gm_only=False)
    count: int = number("how many", default=1, minimum=1, maximum=1_000, gm_only=False)
    price: int = number("another price of one, in copper pieces", default=0, minimum=0, maximum=10**9, gm_only=True)

    check_available = verbs.available_if(turns.own_turn)

    def resolve(self, table: Table) -> None:
        who = turns.own_turn(table, self.who)
        row = catalogues.find("thing to buy", catalogue.equipment, self.item)
        COINS.pay(table, who, (self.price or row.price) * self.count, f"buys {row.name}", "item")
        many = self.count * max(row.amount, 1)
        equipment.give(table, who.id, ((row.name, donning.use_of(row, worn=False)),), count=many)


class Sell(Action, verb="sell"):
    """Sell things for half their price, or for the GM's (R5.252)."""

    sentence = "sells {item:the}"

    who: str = character("who sells", actor=True)
    item: str = gear("what", fits=lambda who: who.gear, gm_only=False)
    count: int = number("how many", default=1, minimum=1, maximum=1_000, gm_only=False)
    price: int = number("what one fetches, in copper pieces", default=0, minimum=0, maximum=10**9, gm_only=True)

    check_available = verbs.available_if(turns.own_turn)

    def resolve(self, table: Table) -> None:
        who = turns.own_turn(table, self.who)
        item = equipment.called(who, self.item)
        held, row = who.gear.get(item), catalogue.equipment().get(catalogues.key_of(catalogue.equipment, item))
        if held is None or held.count < self.count:
            table.refuse(f"{who.name} does not have {self.count} x {self.item}.", "item")
        if row is None and not self.price:
            table.refuse(f"The catalogue has no price of {item}: the GM says what it fetches with --price", "item")
        each = self.price or (row.price // max(row.amount, 1) // 2 if row is not None else 0)
        table.record(events.GearLost(character=who.id, item=item, count=self.count))
        COINS.pay(table, who, -each * self.count, f"sells {item}")


class CopySpell(Action, verb="copy-spell"):
    """Copy a spell into a wizard's book, or one of it into another book: hours and gold for each level (R5.496)."""

    sentence = "copies {spell} into a book"

    who: str = character("whose book it is", actor=True)
    spell: str = words("which spell", known=spells.names_of_all, gm_only=False)

    check_available = verbs.available_if(turns.check_peace)

    def resolve(self, table: Table) -> None:
        turns.check_peace(table)
        who, spell = require.living(table, self.who), spells.find(self.spell)
        row, level = catalogue.classes()["wizard"], classes.level_in(who, "wizard")
        if not level or row.key not in spell.classes or not 1 <= spell.level <= len(row.levels[level - 1].slots):
            table.refuse(f"{spell.name} is no wizard's spell of a level that {who.name} can prepare.", "spell")
        is_new = spell.key not in features.chosen_for(who, spells.KNOWN)
        cost = row.features[0].numbers["copy" if is_new else "copy of the own book"]
        COINS.pay(table, who, cost["gold"] * spell.level * WORTHS["gold"], f"copies {spell.name}", "spell")
        clock.advance(table, cost["hours"] * spell.level * clock.HOUR, who=(who.id,))
        if is_new:
            abilities.learn(table, who.id, spells.KNOWN, spells.in_book(spell.key))


class Identify(Action, verb="identify"):
    """Learn what a magic item does, in the course of a short rest with it or by the spell of that name (R5.279)."""

    sentence = "learns about {item:the}"

    who: str = character("who holds it", actor=True)
    item: str = gear("which thing", fits=lambda who: who.gear, gm_only=False)

    check_available = verbs.available_if(turns.own_turn)

    def resolve(self, table: Table) -> None:
        who = turns.own_turn(table, self.who)
        item = equipment.called(who, self.item)
        held = who.gear.get(item)
        key = features.item_key(item, held.use) if held is not None else ""
        if table.encounter is not None:
            table.refuse("That takes a short rest, which nobody has in a fight.")
        if not key:
            table.refuse(f"{self.item} is no magic item that {who.name} has.", "item")
        row = catalogue.magic_items()[key]
        powers = ", ".join(power.name for power in row.powers)
        bond = ", to be attuned to" if row.attunement else ""
        text = f"{item} is a {row.name} ({row.rarity}{bond}){f': {powers}' if powers else ''}."
        table.record(events.NoteWritten(text=text, about=who.id))
