"""Making light and darkness, and lights in hand: fewer hands are left for weapons (R3.62–R3.70).

In a fight torches lie on the ground and are taken up again afterwards, unless kept in hand (R3.69). A candle can be
stuck on, a lantern clipped on or set down.
"""

from functools import partial

import attrs

from rollbook.kit import conditions, equipment, require, turn_order, verbs
from rollbook.plugin import Action, CampaignState, Character, Table, events, param
from rollbook.rulesets.russell.delve import exploration, fire, lanterns, light_sources
from rollbook.rulesets.russell.delve.light import APART, DARKNESS, PANICKING, SHADES, check_nerve, settle_light
from rollbook.rulesets.russell.delve.light_sources import (
    HELD,
    IN_HAND,
    PUT_DOWN,
    SET_DOWN,
    Burning,
    alight,
    burning,
    burning_of,
)
from rollbook.rulesets.russell.fight import arms, turns


def _able_to_light(table: Table, name: str) -> Character:
    who = require.living(table, name)
    if who.has(PANICKING):
        check_nerve(table, who)
    return who


class Light(Action, verb="light"):
    """Light a candle, a torch or a lantern that somebody carries (R3.68–R3.70)."""

    sentence = "lights {item:the}"

    who: str = param.character("who bears it", actor=True)
    item: str = param.gear("what is lit: torch, candle, lantern", fits=light_sources.unlit)

    check_available = verbs.available_if(_able_to_light)

    def resolve(self, table: Table) -> None:
        who = _able_to_light(table, self.who)
        item = equipment.called(who, self.item)
        source = light_sources.require_source(table, who, item)
        if light_sources.burning_of(who, item):
            table.refuse(f"{who.name}'s {item} burns already. Somebody else may light another.", "item")
        if source.pips and light_sources.pips_burnt(who, item) >= source.pips * who.gear[item].count:
            table.refuse(f"{who.name}'s {item} is empty. A flask of oil fills it: refill {who.id} {item}", "item")
        light_sources.kindle(table, light_sources.Burning(who.id, item, source))
        settle_light(table)


def _burning(table: Table, who: Character, item: str = "") -> list[str]:
    """A character's burning lights: this one, or all. Refused if there are none."""
    alight = [light.item for light in light_sources.burning(who) if item in ("", light.item)]
    if not alight:
        table.refuse(f"{who.name} has no burning {item or 'light'} to put out.", "item")
    return alight


class Douse(Action, verb="douse"):
    """Put a light out; nothing of it is used up. To hide in the dark, put all of them out with ``--hide`` (R3.63)."""

    sentence = "douses {item:the}|douses the lights"

    who: str = param.character("who bears it", actor=True)
    item: str = param.gear(
        "what is put out; left out, everything that burns", default="", fits=light_sources.alight, gm_only=False
    )
    hide: bool = param.flag("the darkness is intended, so hirelings keep their heads", gm_only=False)

    check_available = verbs.available_if(lambda table, who: _burning(table, table.character(who)))

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        for each in _burning(table, who, equipment.called(who, self.item)):
            light_sources.put_out(table, who.id, each)
        settle_light(table, on_purpose=self.hide)


class ShareLight(Action, verb="share-light"):
    """Decide who gets the light of a torch or lantern; otherwise its bearer, then the others in order (R3.69, R3.70)."""

    sentence = "shares the light of {item:the}[ with {lit}]"

    who: str = param.character("who bears the light", actor=True)
    item: str = param.gear("which light: torch, lantern", fits=light_sources.alight)
    lit: tuple[str, ...] = param.characters("who is lit fully", default=(), gm_only=False)
    dim: tuple[str, ...] = param.characters("who is lit dimly", default=(), gm_only=False)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        light = light_sources.burning_of(who, equipment.called(who, self.item))
        if light is None:
            table.refuse(f"{who.name} has no burning {self.item} to share. First: light {who.id} {self.item}", "item")
        for name in (*self.lit, *self.dim):
            require.living(table, name)
        for named, most, how in ((self.lit, light.source.lit, "fully"), (self.dim, light.source.dim, "dimly")):
            if len(set(named)) > most:
                table.refuse(
                    f"A {light.source.key} lights {most} {how}, not {len(set(named))}. Name fewer.",
                    table.parameter_of(named),
                )
        light_sources.kindle(table, attrs.evolve(light, shared=True, lit=self.lit, dim=self.dim))
        settle_light(table)


class Place(Action, verb="place", gm_only=True):
    """Say how light it is where the party is, and whether it is dangerous there (R3.52, R3.62–R3.67)."""

    sentence = "says that the light is {light:key}"

    light: str = param.choice("how light it is without the party's own lights", SHADES)
    dangerous: bool = param.flag("the Exploration Die is rolled every Turn")
    who: tuple[str, ...] = param.characters("only these are here, apart from the party", default=())
    together: bool = param.flag("those who were apart are with the party again")

    def resolve(self, table: Table) -> None:
        if self.who and (self.dangerous or self.together):
            table.refuse(
                f"--who names those who are apart; --dangerous and --together concern the party. Leave --who out: "
                f"place {self.light} --dangerous",
                "who",
            )
        for name in self.who:
            who = require.living(table, name).id
            conditions.end(table, who, APART)
            conditions.begin(table, who, APART, detail=self.light, data={"shade": self.light})
        pools = ((DARKNESS, SHADES.index(self.light)), (exploration.DANGER, int(self.dangerous)))
        for pool, amount in () if self.who else pools:
            if table.gm_pools.get(pool, 0) != amount:
                table.record(events.PoolBecame(holder="", pool=pool, amount=amount, reason="the place"))
        for each in table.characters() if self.together else ():
            conditions.end(table, each.id, APART)
        settle_light(table)


HANDS, TORCH = 2, "torch"


def in_hand(table: Table | CampaignState, who: Character) -> list[str]:
    """The lights that a character holds in a hand."""
    return [light.item for light in burning(who) if _is_held(table, who, light)]


def _is_held(table: Table | CampaignState, who: Character, light: Burning) -> bool:
    if conditions.with_data(who, PUT_DOWN, light.item) or lanterns.clipped_lantern(who) == light.item:
        return False
    fights = table.encounter is not None and who.id in table.encounter.order
    return light.source.key != TORCH or not fights or bool(conditions.with_data(who, HELD, light.item))


def check_torch(table: Table, who: Character) -> None:
    """Refuse an action that needs a burning torch in the hand (R3.69)."""
    torches = [light.item for light in burning(who) if light.source.key == TORCH]
    if not torches:
        table.refuse(f"{who.name} has no burning torch. First: light {who.id} torch")
    if not set(torches) & set(in_hand(table, who)):
        ground = f"{who.name}'s {torches[0]} lies on the ground, as torches do in a fight"
        table.refuse(f"{ground}. Take it up: hold {who.id} {torches[0]}")


def check_hands(table: Table, who: Character, weapon: arms.Weapon) -> None:
    """Refuse a weapon that takes more hands than lights and a shield leave."""
    lights = [item for item in in_hand(table, who) if not (weapon.kind.ignites and item == TORCH)]
    shield = equipment.shield_of(who)
    if lights and weapon.kind.hands and len(lights) + bool(shield) + weapon.kind.hands > HANDS:
        held = " and ".join((*lights, *((shield,) if shield else ())))
        table.refuse(
            f"{who.name} holds {held}, and {weapon.item} takes {weapon.kind.hands} of two hands. Set the light down or stick "
            f"it on: hold {who.id} {lights[0]} --off",
            "weapon",
        )


class Hold(Action, verb="hold"):
    """Take a burning light in hand, also in a fight; ``--off`` sets it down or sticks it on, and a hand is free (R3.68–R3.70)."""

    sentence = "sets {item:the} down{off:if}|takes {item:the} in hand"

    who: str = param.character("who bears it", actor=True)
    item: str = param.gear("which light", fits=alight)
    off: bool = param.flag("set it down, or stick it on", gm_only=False)

    check_available = verbs.available_if(partial(turns.can_act, lying=True))

    def resolve(self, table: Table) -> None:
        who = turns.can_act(table, self.who, lying=True)
        light = burning_of(who, equipment.called(who, self.item))
        if light is None:
            table.refuse(f"{who.name} has no burning {self.item}. First: light {who.id} {self.item}", "item")
        if _is_held(table, who, light) != self.off:
            state = "in no hand" if self.off else "in hand already"
            table.refuse(f"{who.name}'s {light.item} is {state}.", "item")
        ends, begins = (HELD, PUT_DOWN) if self.off else (PUT_DOWN, HELD)
        conditions.end_with_data(table, who.id, ends, light.item)
        state = SET_DOWN if self.off else IN_HAND
        conditions.begin(table, who.id, light.item + state, source=light.item, data={begins: light.item})


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
            table.refuse(f"{target.name} burns already.", "target")
        fire.set_alight(table, target.id, source=who.id)
