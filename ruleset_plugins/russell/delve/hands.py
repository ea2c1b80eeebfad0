"""Lights and hands: what is held alight leaves fewer hands for weapons (R3.68–R3.70).

In a fight torches lie on the ground and are taken up again afterwards, unless somebody keeps theirs in hand (R3.69). A
candle can be stuck on, a lantern clipped on or set down.
"""

from rollbook.kit import conditions, equipment, require, turn_order
from rollbook.plugin import Action, CampaignState, Character, Table, param
from rollbook.rulesets.russell.delve import fire
from rollbook.rulesets.russell.delve.lanterns import clipped_lantern
from rollbook.rulesets.russell.delve.light_sources import HELD, PUT_DOWN, Burning, alight, burning, burning_of
from rollbook.rulesets.russell.fight import turns, weapons

HANDS = 2
TORCH = "torch"


def in_hand(table: Table | CampaignState, who: Character) -> list[str]:
    """The lights that somebody holds in a hand."""
    return [light.item for light in burning(who) if _is_held(table, who, light)]


def _is_held(table: Table | CampaignState, who: Character, light: Burning) -> bool:
    def is_so(field: str) -> bool:
        return any(each.data[field] == light.item for each in conditions.with_data(who, field))

    if is_so(PUT_DOWN) or clipped_lantern(who) == light.item:
        return False
    fights = table.encounter is not None and who.id in table.encounter.order
    return light.source.key != TORCH or not fights or is_so(HELD)


def has_torch_in_hand(table: Table, who: Character) -> bool:
    """Whether somebody holds a burning torch."""
    held = in_hand(table, who)
    return any(light.source.key == TORCH and light.item in held for light in burning(who))


def check_torch(table: Table, who: Character) -> None:
    """Refuse what takes a burning torch in the hand (R3.69)."""
    torch = next((light.item for light in burning(who) if light.source.key == TORCH), "")
    if not torch:
        table.refuse(f"{who.name} has no burning torch. First: light {who.id} torch")
    if not has_torch_in_hand(table, who):
        table.refuse(
            f"{who.name}'s {torch} lies on the ground, as torches do in a fight. Take it up: hold {who.id} {torch}"
        )


def check_hands(table: Table, who: Character, weapon: weapons.Weapon) -> None:
    """Refuse a weapon that takes more hands than lights and a shield leave."""
    lights = [item for item in in_hand(table, who) if not (weapon.kind.ignites and item == TORCH)]
    shield = equipment.shield_of(who)
    if lights and weapon.kind.hands and len(lights) + bool(shield) + weapon.kind.hands > HANDS:
        held = " and ".join((*lights, *((shield,) if shield else ())))
        table.refuse(
            f"{who.name} holds {held}, and {weapon.item} takes {weapon.kind.hands} of two hands. Set the light down or stick "
            f"it on: hold {who.id} {lights[0]} --off",
            parameter="weapon",
        )


class Hold(Action, verb="hold"):
    """Take a burning light in hand, also in a fight; ``--off`` sets it down or sticks it on, and a hand is free (R3.68–R3.70)."""

    sentence = "sets {item:the} down{off:if}|takes {item:the} in hand"

    who: str = param.character("who bears it", actor=True)
    item: str = param.gear("which light", fits=alight)
    off: bool = param.flag("set it down, or stick it on", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        turns.can_act(table, who, lying=True)

    def resolve(self, table: Table) -> None:
        who = turns.can_act(table, self.who, lying=True)
        light = burning_of(who, equipment.called(who, self.item))
        if light is None:
            table.refuse(f"{who.name} has no burning {self.item}. First: light {who.id} {self.item}", parameter="item")
        if _is_held(table, who, light) != self.off:
            state = "in no hand" if self.off else "in hand already"
            table.refuse(f"{who.name}'s {light.item} is {state}.", parameter="item")
        ends, begins = (HELD, PUT_DOWN) if self.off else (PUT_DOWN, HELD)
        for each in conditions.with_data(who, ends):
            if each.data[ends] == light.item:
                conditions.end(table, who.id, each.name)
        conditions.begin(table, who.id, f"{light.item} {_WORDS[begins]}", source=light.item, data={begins: light.item})


class SetAlight(Action, verb="set-alight"):
    """Hold a burning torch to something that burns easily, which costs no action (R3.69)."""

    sentence = "sets {target} alight"

    who: str = param.character("who holds the torch", actor=True)
    target: str = param.character("what catches fire, if the GM allows it")

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        bearer = turns.can_act(table, who)
        turn_order.own_turn(table, bearer, out_of_turn=False)
        check_torch(table, bearer)

    def resolve(self, table: Table) -> None:
        who, target = turns.can_act(table, self.who), require.living(table, self.target)
        turn_order.own_turn(table, who, out_of_turn=False)
        check_torch(table, who)
        if target.has(fire.ON_FIRE):
            table.refuse(f"{target.name} burns already.", parameter="target")
        fire.set_alight(table, target.id, source=who.id)


_WORDS = {HELD: "in hand", PUT_DOWN: "set down"}
