"""Hands, body and sheath: what a character holds and wears; everything else lies on the ground (R4.8, Q4.44)."""

from collections.abc import Iterable

from rollbook.kit import equipment, squares
from rollbook.plugin import Character, Square, Table, character, choice, events, flag, gear, there_are
from rollbook.rulesets.grid.armour import ARMOURS, SHIELDS, armour_of, shield_of
from rollbook.rulesets.grid.opportunity_attacks import ITEM, OpenAction
from rollbook.rulesets.grid.settings import ERROR, WARN, Settings
from rollbook.rulesets.grid.stats import class_name
from rollbook.rulesets.grid.weapons import BOTH, DOWN, MAIN, OFF, SHEATH, WIELDED, Weapon, use_of, weapons_of


def in_hands(who: Character, *, but: str = "") -> dict[str, str]:
    """The name of the thing in each hand; the thing ``but`` does not count."""
    held: dict[str, str] = {}
    for weapon in weapons_of(who):
        if weapon.item != but and weapon.place in WIELDED:
            hands = (MAIN, OFF) if weapon.place == BOTH else (weapon.place,)
            held |= dict.fromkeys(hands, weapon.item)
    shield, _ = shield_of(who)
    return held | ({OFF: shield} if shield and shield != but else {})


def _wearable(who: Character) -> tuple[str, ...]:
    """Armour and shields that a character has and does not wear."""
    worn = {armour_of(who)[0], shield_of(who)[0]}
    others = ((item, use) for item, use in equipment.carried(who) if item not in worn)
    return tuple(item for item, use in others if use[:1] != (equipment.WEAPON,) and _worn_as(item, use))


def _worn_as(item: str, use: equipment.Use) -> str:
    """The armour or shield that a thing is by its use or its name, "" for neither."""
    words = (*use[1:2], item.casefold(), *item.casefold().split()[-1:])
    return next((word for word in words if word in ARMOURS or word in SHIELDS), "")


def check_place(table: Table, who: Character, weapon: Weapon, place: str) -> None:
    """Refuse a grip that does not fit, a hand that is full, and a second weapon in the sheath."""
    if not weapon.kind.fits(place):
        hands = "two hands" if place != BOTH else "one hand"
        table.refuse(f"A {weapon.kind.name} is held in {hands}: --place {weapon.kind.usual_grip}", "place")
    check_empty(table, who, {BOTH: (MAIN, OFF)}.get(place, (place,)), but=weapon.item)
    sheathed = next((each for each in weapons_of(who) if each.place == SHEATH and each.item != weapon.item), None)
    if place == SHEATH and sheathed:
        table.refuse(
            f"{who.name} has {sheathed.item} in the sheath, and it holds one weapon. Draw or drop that first.", "place"
        )


def check_empty(table: Table, who: Character, hands: Iterable[str], *, but: str) -> None:
    """Refuse a hand that holds anything ``but`` this."""
    full = in_hands(who, but=but)
    for hand in hands:
        if hand in full:
            table.refuse(f"{who.name} has {full[hand]} in that hand already: sheathe {who.id} {full[hand]!r}", "place")


def _is_untrained(who: Character, classes: tuple[str, ...]) -> bool:
    return bool(class_name(who)) and bool(classes) and class_name(who) not in classes


def check_trained(table: Table, who: Character, name: str, classes: tuple[str, ...]) -> None:
    """Refuse gear that is not for the character's class, where the table insists (Q4.14)."""
    if Settings.of(table).enforce_class_gear == ERROR and _is_untrained(who, classes):
        trained = f"{name} is for {', '.join(classes)} (enforce_class_gear = error)"
        table.refuse(f"{who.name} is a {class_name(who)}, and {trained}.", table.parameter_of(name))


def unusual(who: Character, settings: Settings) -> tuple[str, ...]:
    """The things that a character holds or wears without training, where the table minds (Q4.14)."""
    item, armour = armour_of(who)
    name, shield = shield_of(who)
    used = [(weapon.item, weapon.kind.classes) for weapon in weapons_of(who) if weapon.place != DOWN]
    used += [(item, armour.classes), (name, shield.classes if shield else ())]
    is_minded = settings.enforce_class_gear in (WARN, ERROR)
    return tuple(each for each, classes in used if is_minded and each and _is_untrained(who, classes))


def moved_item(name: str, weapon: Weapon, place: str, square: Square | None = None) -> events.GearGained:
    """The event that moves a weapon to another place; on the ground it lies on a square."""
    return events.GearGained(character=name, item=weapon.item, count=0, use=use_of(weapon.kind.key, place, square))


def throw(table: Table, attacker: Character, weapon: Weapon, target: Character) -> None:
    """Record a throw: the weapon lies where the target is; of several alike one is used up, and the next is ready."""
    if attacker.gear[weapon.item].count > 1:
        table.record(events.GearLost(character=attacker.id, item=weapon.item))
    else:
        table.record(moved_item(attacker.id, weapon, DOWN, target.position))


def find_weapon(table: Table, who: Character, item: str) -> Weapon:
    """A character's weapon by its name or its kind. Refused if there is none."""
    has = weapons_of(who)
    fitting = [weapon for weapon in has if item.casefold() in (weapon.item.casefold(), weapon.kind.key)]
    if not fitting:
        table.refuse(
            f"{who.name} has no weapon called {item!r}. {there_are(weapon.item for weapon in has)}",
            table.parameter_of(item),
        )
    return fitting[0]


class Wield(OpenAction, verb="wield"):
    """Draw a weapon, pick it up, or take it into another hand: a standard action (Q4.37)."""

    sentence = "takes up {weapon:the}"

    who: str = character("who takes it", actor=True)
    weapon: str = gear("which weapon of theirs", fits=lambda who: (each.item for each in weapons_of(who)))
    place: str = choice(
        "into which hand, or both; the usual grip if it is not said", ("", MAIN, OFF, BOTH), default="", gm_only=False
    )

    def resolve(self, table: Table) -> None:
        who = self.begin(table, self.who)
        weapon = find_weapon(table, who, self.weapon)
        place = self.place or weapon.kind.usual_grip
        if weapon.place == place:
            table.refuse(f"{who.name} holds {weapon.item} like that already.", "weapon")
        if weapon.place == DOWN and weapon.square is not None and squares.distance(who.position, weapon.square) > 1:
            table.refuse(
                f"{weapon.item} lies on {squares.text(weapon.square)}, and {who.name} is too far away to pick it up.",
                "weapon",
            )
        check_place(table, who, weapon, place)
        check_trained(table, who, weapon.item, weapon.kind.classes)
        if self.goes_through(table, who.id, ITEM):
            table.record(moved_item(who.id, weapon, place))


class Sheathe(OpenAction, verb="sheathe"):
    """Put a weapon into its sheath, or down on the ground, or take a shield off: a standard action (Q4.37)."""

    sentence = "puts {item:the} down{down:if}|sheathes {item:the}"

    who: str = character("who puts it away", actor=True)
    item: str = gear("which weapon or shield in their hands", fits=lambda who: dict.fromkeys(in_hands(who).values()))
    down: bool = flag("on the ground, not into the sheath", gm_only=False)

    def resolve(self, table: Table) -> None:
        who = self.begin(table, self.who)
        change = self._put_away(table, who)
        if self.goes_through(table, who.id, ITEM):
            table.record(change)

    def _put_away(self, table: Table, who: Character) -> events.GearGained:
        shield, row = shield_of(who)
        if row is not None and self.item.casefold() in (shield.casefold(), row.key):
            return events.GearGained(character=who.id, item=shield, count=0, use=(equipment.SHIELD, row.key, DOWN))
        weapon = find_weapon(table, who, self.item)
        place = DOWN if self.down else SHEATH
        if weapon.place == place:
            table.refuse(f"{who.name} has {weapon.item} there already.", "item")
        check_place(table, who, weapon, place)
        return moved_item(who.id, weapon, place, who.position if self.down else None)


class Wear(OpenAction, verb="wear"):
    """Put armour on, or take a shield on the arm: a standard action. What was worn before lies on the ground."""

    sentence = "puts on {item:the}"

    who: str = character("who puts it on", actor=True)
    item: str = gear("which thing of theirs", fits=_wearable)
    kind: str = choice("what it is", ("", *ARMOURS, *SHIELDS), default="", gm_only=True)

    def resolve(self, table: Table) -> None:
        who = self.begin(table, self.who)
        item = equipment.called(who, self.item)
        if item not in who.gear or who.gear[item].count < 1:
            table.refuse(f"{who.name} has no {self.item or 'such thing'!r} to put on: give {who.id} ITEM", "item")
        key = self._key(table, who, item)
        sort, rows = (equipment.SHIELD, SHIELDS) if key in SHIELDS else (equipment.ARMOUR, ARMOURS)
        worn, row = shield_of(who) if key in SHIELDS else armour_of(who)
        if worn == item:
            table.refuse(f"{who.name} wears {item} already.", "item")
        check_trained(table, who, rows[key].name, rows[key].classes)
        if sort == equipment.SHIELD:
            check_empty(table, who, (OFF,), but=worn)
        if self.goes_through(table, who.id, ITEM):
            if worn and row is not None:
                table.record(events.GearGained(character=who.id, item=worn, count=0, use=(sort, row.key, DOWN)))
            table.record(events.GearGained(character=who.id, item=item, count=0, use=(sort, key)))

    def _key(self, table: Table, who: Character, item: str) -> str:
        key = self.kind or _worn_as(item, who.gear[item].use)
        if not key or key == "none":
            table.refuse(f"What is {item}? Say it with --kind: {', '.join((*ARMOURS, *SHIELDS))}.", "kind")
        return key
