"""Natural 20 and natural 1: twice the damage or something besides, a free attack or a misfortune (R3.78, R3.79).

A natural 20 hits, its damage is done at once, and what comes on top is an open choice of the attacker: the same damage again,
as part of the same hit, or an effect (Q3.27). A natural 1 gives the target a free attack, or leaves the GM a misfortune to
name (Q3.26).
"""

from __future__ import annotations

import re

from ruleset_plugins import Character, OpenChoice, Table, events, not_found
from ruleset_plugins.kit import conditions, equipment, open_choices, require
from ruleset_plugins.russell.fight.hit_points import UNARMED, hurt
from ruleset_plugins.russell.fight.turns import grant_free_attack
from ruleset_plugins.russell.fight.weapons import read
from ruleset_plugins.russell.fight.wounds import FLOORED, WOUNDED, stun

CRITICAL = "critical:"
"""An open choice on a natural 20 is called ``critical:goblin``."""

DOUBLE, TRIP, DISARM, OTHER = "double", "trip", "disarm", "other"
EFFECTS = (DOUBLE, TRIP, DISARM, OTHER)
"""What a natural 20 may do besides its damage; "other" is whatever the table agrees on."""

FREE, MISFORTUNE = "free-attack", "misfortune"
FUMBLES = (FREE, MISFORTUNE)
MISFORTUNES = (FLOORED, DISARM, "stunned", OTHER)

_AGAIN = re.compile(
    r"double for (\d+) more(, unarmed)?(, sparing)?(, to wound)?(?:, as (.+?))?(?:; a Wound: (.+))?", re.DOTALL
)


def offer_critical(
    table: Table,
    attacker: str,
    before: Character,
    dealt: int,
    *,
    tags: tuple[str, ...],
    spare: bool = False,
    to_wound: bool = False,
    wound: str = "",
) -> str:
    """Open the attacker's choice, if anything is left to choose. Returns what it is called, "" for none.

    ``before`` is the target before the hit: one hit never deals two Wounds, so one that wounded is not doubled (Q3.10).
    The rest is as for ``hurt``, and the doubled half of the hit does as the first did.
    """
    after = table.character(before.id)
    if after.has(conditions.DEAD):
        return ""
    options = [each for each in (TRIP, DISARM, OTHER) if each != DISARM or weapon_held(after)]
    is_beyond = (after.has(WOUNDED) and not before.has(WOUNDED)) or (
        after.has(conditions.HELPLESS) and not before.has(conditions.HELPLESS)
    )
    if dealt and not is_beyond:
        manner = ((UNARMED, UNARMED in tags), ("sparing", spare), ("to wound", to_wound))
        sorts = ", ".join(tag for tag in tags if tag != UNARMED)
        again = "".join(f", {words}" for words, said in manner if said)
        again += (f", as {sorts}" if sorts else "") + (f"; a Wound: {wound}" if wound else "")
        options.insert(0, f"double for {dealt} more{again}")
    choice = f"{CRITICAL}{before.id}"
    table.record(
        events.ChoiceOffered(
            character=attacker, choice=choice, options=open_choices.named(tuple(options)), reason="a natural 20 (R3.78)"
        )
    )
    return choice


def option_named(table: Table, who: Character, choice: str, picked: str) -> str:
    """The option that begins with what was typed. Refused, with those there are, if none does."""
    options = who.choices[choice].keys
    found = next((option for option in options if option == picked), None)
    found = found or next((option for option in options if option.partition(" ")[0] == picked), None)
    if found is None:
        table.refuse(str(not_found(f"option of {choice}", picked, tuple(each.partition(" ")[0] for each in options))))
    return found


def settle_critical(table: Table, attacker: str, choice: str, picked: str) -> None:
    """The attacker has chosen: the same damage again, or an effect."""
    option = option_named(table, table.character(attacker), choice, picked)
    target = choice.removeprefix(CRITICAL)
    table.record(events.ChoiceMade(character=attacker, choice=choice, picked=option))
    again = _AGAIN.fullmatch(option)
    if table.character(target).has(conditions.DEAD):
        return
    if again is not None:
        _strike_again(table, target, again, source=attacker)
    else:
        bring_down(table, target, option, source=attacker)


def is_offered(table: Table, attacker: str, choice: str, effect: str) -> bool:
    """Whether an open choice has this effect among its options."""
    return any(
        option.partition(" ")[0] == effect
        for option in table.character(attacker).choices.get(choice, OpenChoice()).keys
    )


def _strike_again(table: Table, target: str, again: re.Match[str], *, source: str) -> None:
    dealt, unarmed, spare, to_wound, sorts, wound = again.groups()
    tags = (*((UNARMED,) if unarmed else ()), *(sorts.split(", ") if sorts else ()))
    hurt(
        table,
        target,
        int(dealt),
        tags=tags,
        source=source,
        spare=bool(spare),
        to_wound=bool(to_wound),
        wound=wound or "",
    )


def bring_down(table: Table, name: str, effect: str, *, source: str) -> None:
    """An effect besides damage: on the floor, disarmed, dazed; anything else is only told."""
    if effect in (TRIP, FLOORED):
        conditions.begin(table, name, FLOORED, source=source)
    elif effect == DISARM:
        weapon = weapon_held(table.character(name))
        if weapon:
            table.record(events.GearLost(character=name, item=weapon))
    elif effect == "stunned":
        stun(table, name, source=source)


def weapon_held(who: Character) -> str:
    """The first weapon among somebody's things, "" for none."""
    return next((weapon.item for weapon in equipment.read_all(who, read)), "")


def fumble(table: Table, attacker: str, target: str, kind: str) -> None:
    """A natural 1: the target strikes back at once, or the GM names a misfortune (Q3.26)."""
    if kind == FREE:
        grant_free_attack(table, target, attacker)
    else:
        table.record(
            events.ChoiceOffered(
                character=attacker,
                choice=MISFORTUNE,
                options=open_choices.named(MISFORTUNES),
                reason="a natural 1 (R3.79)",
            )
        )


def settle_misfortune(table: Table, name: str, picked: str) -> None:
    """The GM says what goes wrong."""
    if not require.is_gm(table):
        table.refuse(f"What a fumble brings is the GM's to say, not {table.seat}'s.")
    option = option_named(table, table.character(name), MISFORTUNE, picked)
    table.record(events.ChoiceMade(character=name, choice=MISFORTUNE, picked=option))
    bring_down(table, name, option, source=MISFORTUNE)
