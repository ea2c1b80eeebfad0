"""Natural 20 and natural 1: twice the damage or an effect, a free attack or a misfortune; and stray shots (R3.78–R3.80).

A natural 20 hits, its damage is done at once, and its extra is an open choice of the attacker: the same damage again,
as part of the same hit, or an effect (Q3.27). A natural 1 gives the target a free attack, or leaves the GM a misfortune
to name (Q3.26). A missing die of 1 to 5 hits another character in the melee, in any armour (Q3.28).
"""

import attrs

from rollbook.kit import conditions, d20, equipment, fields, open_choices, require, verbs
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.russell.character import templates
from rollbook.rulesets.russell.fight import arms, hit_points, movement, turns, wounds

ASTRAY = 5
"""A missing die of this or less hits another in the melee; a 1 does so instead of being a fumble (Q3.28)."""


def endangered(table: Table, shooter: Character, target: Character, named: tuple[str, ...]) -> tuple[str, ...]:
    """The characters who may be hit instead of the target: those named, or the shooter's side engaged with it."""
    for name in named:
        require.living(table, name)
        if name in (shooter.id, target.id):
            table.refuse("--melee names the others who fight the target hand to hand.", "melee")
    return named or movement.engaged_allies(table, shooter, target)


def hit_instead(table: Table, shooter: Character, melee: tuple[str, ...], *, check: str, natural: int) -> str:
    """Record the character in the melee hit by a missing die; among several another die decides (Q3.28, QG.6)."""
    place = 1 if len(melee) == 1 else table.roll(f"1d{len(melee)}", roller=shooter.id, purpose="who is hit").total
    struck = melee[place - 1]
    d20.record_check(table, shooter.id, check, natural, ASTRAY, success=True, outcome="stray shot", against=struck)
    return struck


CRITICAL = "critical"
"""The kind of the open choice that follows a natural 20; its ``target`` was hit."""

DOUBLE, TRIP, DISARM, OTHER = "double", "trip", "disarm", "other"
EFFECTS = (DOUBLE, TRIP, DISARM, OTHER)
"""The effects that a natural 20 may add to its damage; "other" is for the table to agree on."""

FREE, MISFORTUNE = "free-attack", "misfortune"
FUMBLES = (FREE, MISFORTUNE)
MISFORTUNES = (wounds.FLOORED, DISARM, conditions.STUNNED, OTHER)


def offer_critical(table: Table, attacker: str, before: Character, dealt: int, manner: hit_points.Manner) -> str:
    """Open the attacker's choice, if anything is left to choose. Returns its name, "" for none.

    ``before`` is the target before the hit: one hit never deals two Wounds, so one that wounded is not doubled (Q3.10).
    The doubled half of a hit is dealt in the same ``manner`` as the first.
    """
    after = table.character(before.id)
    if after.has(conditions.DEAD):
        return ""
    effects = [each for each in (TRIP, DISARM, OTHER) if each != DISARM or weapon_held(after)]
    options: list[str | events.Option] = [*effects]
    fell = any(after.has(state) and not before.has(state) for state in (wounds.WOUNDED, conditions.HELPLESS))
    if dealt and not fell:
        again = events.Option(key=DOUBLE, label=f"{dealt} more damage", data={"dealt": dealt, **attrs.asdict(manner)})
        options.insert(0, again)
    choice, data = f"critical:{before.id}", {"target": before.id}
    open_choices.offer(table, attacker, choice, options, kind=CRITICAL, reason="a natural 20 (R3.78)", data=data)
    return choice


def settle_critical(table: Table, who: Character, choice: str, picked: str) -> None:
    """The attacker has chosen: the same damage again, or an effect."""
    target, option = fields.text(who.choices[choice].data, "target"), who.choices[choice].option(picked)
    if table.character(target).has(conditions.DEAD):
        return
    if option is not None and picked == DOUBLE:
        hit_points.hurt(table, target, fields.number(option.data, "dealt"), hit_points.Manner.of(option.data))
    else:
        bring_down(table, target, picked, source=who.id)


def bring_down(table: Table, name: str, effect: str, *, source: str) -> None:
    """An effect in addition to damage: on the floor, disarmed, stunned; anything else is up to the table."""
    if effect in (TRIP, wounds.FLOORED):
        conditions.begin(table, name, wounds.FLOORED, source=source)
    elif effect == DISARM:
        weapon = weapon_held(table.character(name))
        if weapon:
            drop_weapon(table, name, weapon, source=source)
    elif effect == conditions.STUNNED:
        wounds.stun(table, name, source=source)


FALLEN, DROPPED = "fallen", "dropped "
"""The field of the condition of a character whose weapon lies at their feet: the weapon; ``use`` is its use."""


def drop_weapon(table: Table, name: str, weapon: str, *, source: str) -> None:
    """Strike a weapon from the hand; it lies where it fell until it is picked up."""
    use = table.character(name).gear[weapon].use
    table.record(events.GearLost(character=name, item=weapon))
    conditions.begin(
        table,
        name,
        f"{DROPPED}{weapon}",
        source=source,
        detail="it lies there",
        data={FALLEN: weapon, "use": use},
        again=True,
    )


def weapon_held(who: Character) -> str:
    """The first weapon among a character's things, "" for none."""
    return next((weapon.item for weapon in equipment.read_all(who, arms.read)), "")


def fumble(table: Table, attacker: str, target: str, kind: str) -> None:
    """Settle a natural 1: the target strikes back at once, or the GM names a misfortune (Q3.26)."""
    if kind == FREE:
        turns.grant_free_attack(table, target, attacker)
    else:
        open_choices.offer(table, attacker, MISFORTUNE, MISFORTUNES, reason="a natural 1 (R3.79)")


def settle_misfortune(table: Table, who: Character, _: str, picked: str) -> None:
    """Record the misfortune that the GM picks. Refused for others."""
    if not require.is_gm(table):
        table.refuse(f"The GM decides what a fumble brings, not {table.seat}.")
    bring_down(table, who.id, picked, source=MISFORTUNE)


Choose = verbs.choose_verb(
    {
        CRITICAL: settle_critical,
        MISFORTUNE: settle_misfortune,
        templates.TEMPLATE: lambda table, who, _, picked: templates.gain_template(table, who.id, picked),
    },
    reads={templates.TEMPLATE: templates.template_picked},
    help="Make an open choice: a template, the primary class in a tie, what a natural 20 does, what a fumble brings.",
    typed_dice=(wounds.WOUNDING, wounds.STUNNING),
)
