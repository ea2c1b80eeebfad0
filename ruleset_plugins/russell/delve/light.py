"""Lit, dim and dark: the light that each character is in, and its effect on a roll (R3.62–R3.70, Q3.38, Q3.39).

The light that a character is in is a condition (none means good light), begun and ended whenever a light or the place
changes, so that a roll reads only the character who makes it. A place is as light as the GM says, for the party and for
all others there. Lights that burn serve their bearers first, then the party, then others who fight, then the rest, each
in the order of their arrival, unless decided otherwise. A character who sees in the dark has no penalty in either.
"""

from collections.abc import Iterable, Sequence

from rollbook.kit import conditions, d20, fields
from rollbook.plugin import CampaignState, Character, CharacterKind, Table, events
from rollbook.rulesets.russell import party_members
from rollbook.rulesets.russell.character.templates import effect
from rollbook.rulesets.russell.delve import light_sources
from rollbook.rulesets.russell.settings import EVERYBODY, Settings, house

DIM = "in dim light"
DARK = "in the dark"
APART = "apart"
"""The condition of a character away from the party, who shares no light by default; ``shade`` is the light there."""

ON_PURPOSE = "on_purpose"
"""The field of a darkness that the party made to hide in (R3.63)."""

SHADES = ("lit", "dim", "dark")
STANDS = ("", DIM, DARK)
DARKNESS = "darkness"
"""The GM's pool of how dark the party's place is: 0 lit, 1 dim, 2 dark."""

STEADY, PANICKING = "steady in the dark", "panicking"
"""A hireling passed Morale in the dark and keeps calm for a Turn, or failed and does nothing until there is light (R3.63)."""

DIM_SIGHT, DARK_SIGHT, SEES_IN_DARK = "dim sight", "dark sight", "sees_in_dark"
"""A trait of such a name or kind takes the penalties of dim light away, or of darkness too, like the number (R3.62, R3.65)."""

IN_DIM = d20.Advantage(disadvantage=("dim light",))
HIDDEN_BY_DIM = d20.Advantage(advantage=("dim light",))
IN_DARK = d20.Advantage(disadvantage=("dark", "dark"))
ONCE_DARK = d20.Advantage(disadvantage=("dark",))
LISTENING = d20.Advantage(advantage=("used to the dark",))


def shade(who: Character) -> str:
    """The light that a character is in: "lit", "dim" or "dark"."""
    return "dark" if who.has(DARK) else "dim" if who.has(DIM) else "lit"


def light_ease(campaign: CampaignState, who: Character, kind: str) -> d20.Advantage:
    """Advantage and disadvantage from the light on a roll of this kind (R3.62–R3.66, Q3.39).

    In dim light attacks and skills are harder and hiding is easier; the dark is Double Disadvantage, but a listener of a Turn
    has Advantage. Hirelings lose heart in either.
    """
    settings, is_dark = house(campaign), who.has(DARK)
    if not is_hindered(who, settings) or (is_dark and sees_in_dark(who)):
        return d20.NO_ADVANTAGE
    if kind == "morale" and who.kind is CharacterKind.HIRELING:
        return ONCE_DARK if is_dark else IN_DIM
    if is_dark and kind == "listen" and campaign.clock - who.conditions[DARK].since >= settings.turn_seconds:
        return LISTENING if settings.dark_listen == "advantage" else LISTENING + IN_DARK
    if is_dark and kind != "morale":
        return IN_DARK
    if not is_dark and kind == "stealth":
        return HIDDEN_BY_DIM
    is_harder = not is_dark and kind in ("attack", "skill", "stunt") and not sees_in_dim(who)
    return IN_DIM if is_harder else d20.NO_ADVANTAGE


def is_hindered(who: Character, settings: Settings) -> bool:
    """Tell if bad light hinders a character: the text speaks of the party (R3.62, R3.65, R3.67)."""
    return (who.has(DIM) or who.has(DARK)) and (party_members.in_party(who) or settings.dark_hinders == EVERYBODY)


def sees_in_dim(who: Character) -> bool:
    """Tell if a class template or the like lets a character ignore the penalties of dim light (R3.65)."""
    has_trait = DIM_SIGHT in who.traits or DIM_SIGHT in who.traits.values()
    return has_trait or effect(who, "sees_in_dim") > 0 or sees_in_dark(who)


def sees_in_dark(who: Character) -> bool:
    """Tell if a character is at home in the dark, as many monsters are: by a number, a trait or a template (R3.62)."""
    has_trait = DARK_SIGHT in who.traits or DARK_SIGHT in who.traits.values()
    return has_trait or who.stats.get(SEES_IN_DARK, 0) > 0 or effect(who, SEES_IN_DARK) > 0


def check_skill(table: Table, who: Character) -> None:
    """Refuse any skill in the dark (R3.62)."""
    if who.has(DARK) and not sees_in_dark(who) and is_hindered(who, house(table)):
        table.refuse(f"{who.name} is in the dark, where no skill can be tried. Make light first: light {who.id} torch")


def check_shot(table: Table, shooter: Character, target: Character, band: str, bands: Sequence[str]) -> None:
    """Refuse a shot at a target in the dark, and one from beyond close range at one in dim light (R3.64, R3.66)."""
    if sees_in_dark(shooter):
        return
    near, fault = bands[: bands.index("close") + 1] if "close" in bands else bands[:2], ""
    if target.has(DARK):
        fault = "is in the dark and cannot be seen, so nobody can shoot at them"
    elif target.has(DIM) and band and band not in near:
        fault = f"is in dim light and can be shot at from {near[-1]} range only, not from {band}"
    if fault:
        table.refuse(f"{target.name} {fault}.", "target")


def check_nerve(table: Table, who: Character) -> None:
    """Refuse actions of a hireling in an unintended darkness before a passed test of Morale (R3.63)."""
    dark = who.conditions.get(DARK) if who.kind is CharacterKind.HIRELING else None
    if dark is not None and not sees_in_dark(who) and not fields.flag(dark.data, ON_PURPOSE) and not who.has(STEADY):
        state = "panics" if who.has(PANICKING) else "is in the dark and loses their head"
        table.refuse(
            f"{who.name} {state}, and can do nothing else until there is light or Morale holds. The GM tests it with: "
            f"morale {who.id} --trigger dark"
        )


def settle_light(table: Table, *, on_purpose: bool = False) -> None:
    """Record the light that each character is in. Call it when a light, the place or the characters there change."""
    everybody = table.characters()
    for who in everybody:
        light_sources.forget_lost(table, who)
    # All the living are concerned, friend or foe, and all whose light was ruled on.
    lifeless = {who.id for who in everybody if who.kind is CharacterKind.THING or who.has(conditions.DEAD)}
    there = [who for who in everybody if who.id not in lifeless or any(map(who.has, (APART, DIM, DARK)))]
    place = table.gm_pools.get(DARKNESS, 0)
    fighting = table.encounter.order if table.encounter is not None else ()
    by_turn = sorted(there, key=lambda who: 0 if party_members.in_party(who) else 1 if who.id in fighting else 2)
    served = _served(everybody, by_turn)
    for who in there:
        shade_apart = conditions.text(who.conditions.get(APART), "shade")
        apart = SHADES.index(shade_apart) if shade_apart in SHADES else 0
        base = apart if who.has(APART) else max(0, min(place, 2))
        _stand(table, who, min(base, served.get(who.id, 2)), on_purpose=on_purpose and party_members.in_party(who))


def settle_darkness(table: Table) -> None:
    """Record the light of each character after arrivals or departures, unless the place is lit."""
    if table.gm_pools.get(DARKNESS, 0):
        settle_light(table)


def _stand(table: Table, who: Character, dark: int, *, on_purpose: bool) -> None:
    wanted = STANDS[dark]
    for other in (DIM, DARK) if wanted == DARK else (DIM, DARK, STEADY, PANICKING):
        if other != wanted:
            conditions.end(table, who.id, other)
    if wanted:
        hiding = on_purpose and wanted == DARK
        data: events.Data = {ON_PURPOSE: True} if hiding else {}
        conditions.begin(table, who.id, wanted, detail="on purpose" if hiding else "", data=data)


def _served(everybody: Sequence[Character], there: Sequence[Character]) -> dict[str, int]:
    """The light (0 lit, 1 dim) that each character gets from burning lights: as decided, then by default."""
    apart = {who.id for who in everybody if who.has(APART)}
    served: dict[str, int] = {}

    def give(names: Iterable[str], dark: int) -> None:
        served.update({name: min(dark, served.get(name, dark)) for name in names})

    common = []
    for light in (light for who in everybody for light in light_sources.burning(who)):
        if light.shared:
            give(light.lit, 0)
            give(light.dim, 1)
        elif light.source.own or light.bearer in apart:
            give((light.bearer,), 0 if light.source.lit else 1)
        else:
            common.append(light)
    together = [who.id for who in there if who.id not in apart]
    bearers = [light.bearer for light in common if light.bearer in together]
    waiting = [name for name in dict.fromkeys((*bearers, *together)) if served.get(name) != 0]
    lit = sum(light.source.lit for light in common)
    give(waiting[:lit], 0)
    give(waiting[lit : lit + sum(light.source.dim for light in common)], 1)
    return served
