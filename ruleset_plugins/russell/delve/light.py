"""Lit, dim and dark: the light that each character is in, and what it does to a roll (R3.62–R3.70, Q3.38, Q3.39).

The light that somebody is in is a condition (none means good light), begun and ended whenever a light or the place changes,
so that a roll reads only the one who makes it. A place is as light as the GM says, for the party and for everybody else who
is there. Lights that burn serve their bearers first, then the party, then others who fight, then the rest, each in the
order of their arrival, unless somebody decides otherwise. Who sees in the dark has no penalty in either.
"""

from collections.abc import Sequence

from rollbook.kit import conditions, d20, fields
from rollbook.plugin import CampaignState, Character, CharacterKind, Table, events
from rollbook.rulesets.russell import party
from rollbook.rulesets.russell.character.templates import effect
from rollbook.rulesets.russell.delve import light_sources
from rollbook.rulesets.russell.settings import EVERYBODY, Settings, house

DIM = "in dim light"
DARK = "in the dark"
APART = "apart"
"""The condition of somebody away from the party: ``shade`` says how light it is there. They share no light by default."""

ON_PURPOSE = "on_purpose"
"""The field of a darkness that the party made to hide in (R3.63)."""

SHADES = ("lit", "dim", "dark")
STANDS = ("", DIM, DARK)
DARKNESS = "darkness"
"""The GM's pool of how dark the party's place is: 0 lit, 1 dim, 2 dark."""

STEADY = "steady in the dark"
"""A hireling passed Morale in the dark, and keeps their head for a Turn (R3.63)."""

PANICKING = "panicking"
"""A hireling failed Morale in the dark, and does nothing else until there is light (R3.63)."""

DIM_SIGHT = "dim sight"
"""A trait of this name or kind takes the penalties of dim light away, as some class templates do (R3.65)."""

DARK_SIGHT = "dark sight"
"""A trait of this name or kind, like the number ``sees_in_dark``, takes the penalties of darkness and dim light away."""

SEES_IN_DARK = "sees_in_dark"

IN_DIM = d20.Advantage(disadvantage=("dim light",))
HIDDEN_BY_DIM = d20.Advantage(advantage=("dim light",))
IN_DARK = d20.Advantage(disadvantage=("dark", "dark"))
ONCE_DARK = d20.Advantage(disadvantage=("dark",))
LISTENING = d20.Advantage(advantage=("used to the dark",))


def shade(who: Character) -> str:
    """The light that somebody is in: "lit", "dim" or "dark"."""
    return "dark" if who.has(DARK) else "dim" if who.has(DIM) else "lit"


def light_ease(campaign: CampaignState, who: Character, kind: str) -> d20.Advantage:
    """Advantage and disadvantage from the light on a roll of this kind."""
    if not is_hindered(who, house(campaign)):
        return d20.NO_ADVANTAGE
    if who.has(DARK):
        return d20.NO_ADVANTAGE if sees_in_dark(who) else _dark_ease(campaign, who, kind)
    if who.has(DIM):
        return _dim_ease(who, kind)
    return d20.NO_ADVANTAGE


def is_hindered(who: Character, settings: Settings) -> bool:
    """Tell if somebody is in bad light that hinders them: the text speaks of the party (R3.62, R3.65, R3.67)."""
    return (who.has(DIM) or who.has(DARK)) and (party.in_party(who) or settings.dark_hinders == EVERYBODY)


def _dim_ease(who: Character, kind: str) -> d20.Advantage:
    """Attacks and skills are harder, hiding is easier, hirelings lose heart (R3.65, R3.66, Q3.39)."""
    if kind == "stealth":
        return HIDDEN_BY_DIM
    if kind == "morale":
        return IN_DIM if who.kind is CharacterKind.HIRELING else d20.NO_ADVANTAGE
    if kind in ("attack", "skill", "stunt") and not sees_in_dim(who):
        return IN_DIM
    return d20.NO_ADVANTAGE


def _dark_ease(campaign: CampaignState, who: Character, kind: str) -> d20.Advantage:
    """Double Disadvantage, but a hireling's Morale has it once, and a listener of a Turn has Advantage (R3.62–R3.64)."""
    if kind == "morale":
        return ONCE_DARK if who.kind is CharacterKind.HIRELING else d20.NO_ADVANTAGE
    if kind == "listen":
        settings = house(campaign)
        if campaign.clock - who.conditions[DARK].since >= settings.turn_seconds:
            return LISTENING if settings.dark_listen == "advantage" else LISTENING + IN_DARK
    return IN_DARK


def sees_in_dim(who: Character) -> bool:
    """Tell if a class template or the like lets somebody ignore the penalties of dim light (R3.65)."""
    has_trait = DIM_SIGHT in who.traits or DIM_SIGHT in who.traits.values()
    return has_trait or effect(who, "sees_in_dim") > 0 or sees_in_dark(who)


def sees_in_dark(who: Character) -> bool:
    """Tell if somebody is at home in the dark, as many monsters are: by a number, a trait or a template (R3.62)."""
    has_trait = DARK_SIGHT in who.traits or DARK_SIGHT in who.traits.values()
    return has_trait or who.stats.get(SEES_IN_DARK, 0) > 0 or effect(who, SEES_IN_DARK) > 0


def check_skill(table: Table, who: Character) -> None:
    """Refuse any skill in the dark (R3.62)."""
    if who.has(DARK) and not sees_in_dark(who) and is_hindered(who, house(table)):
        table.refuse(f"{who.name} is in the dark, where no skill can be tried. Make light first: light {who.id} torch")


def check_shot(table: Table, shooter: Character, target: Character, band: str, bands: Sequence[str]) -> None:
    """Refuse a shot at somebody in the dark, and one from beyond close range at somebody in dim light (R3.64, R3.66)."""
    if sees_in_dark(shooter):
        return
    near, fault = bands[: bands.index("close") + 1] if "close" in bands else bands[:2], ""
    if target.has(DARK):
        fault = "is in the dark and cannot be seen, so nobody can shoot at them"
    elif target.has(DIM) and band and band not in near:
        fault = f"is in dim light and can be shot at from {near[-1]} range only, not from {band}"
    if fault:
        table.refuse(f"{target.name} {fault}.", parameter="target")


def check_nerve(table: Table, who: Character) -> None:
    """Refuse what a hireling would do in an unintended darkness before they pass Morale (R3.63)."""
    dark = who.conditions.get(DARK) if who.kind is CharacterKind.HIRELING else None
    if dark is not None and not sees_in_dark(who) and not fields.flag(dark.data, ON_PURPOSE) and not who.has(STEADY):
        state = "panics" if who.has(PANICKING) else "is in the dark and loses their head"
        table.refuse(
            f"{who.name} {state}, and can do nothing else until there is light or Morale holds. The GM tests it with: "
            f"morale {who.id} --trigger dark"
        )


def settle_light(table: Table, *, on_purpose: bool = False) -> None:
    """Record which light everybody is in now. Call it when a light, the place or those who are there change."""
    everybody = table.characters()
    for who in everybody:
        light_sources.forget_lost(table, who)
    there = [who for who in everybody if _is_concerned(who)]
    place = table.gm_pools.get(DARKNESS, 0)
    fighting = table.encounter.order if table.encounter is not None else ()
    by_turn = sorted(there, key=lambda who: 0 if party.in_party(who) else 1 if who.id in fighting else 2)
    served = _served(everybody, by_turn)
    for who in there:
        shade_apart = conditions.text(who.conditions.get(APART), "shade")
        apart = SHADES.index(shade_apart) if shade_apart in SHADES else 0
        base = apart if who.has(APART) else max(0, min(place, 2))
        _stand(table, who, min(base, served.get(who.id, 2)), on_purpose=on_purpose and party.in_party(who))


def settle_darkness(table: Table) -> None:
    """Others are there than before: where the place is not lit, record which light everybody is in."""
    if table.gm_pools.get(DARKNESS, 0):
        settle_light(table)


def _is_concerned(who: Character) -> bool:
    """Whether light matters for somebody: all the living, friend or foe, and all whose light was ruled on."""
    is_alive = who.kind is not CharacterKind.THING and not who.has(conditions.DEAD)
    return is_alive or who.has(APART) or who.has(DIM) or who.has(DARK)


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
    """Who gets which light from what burns: first as it was decided, then by default."""
    lights = [light for who in everybody for light in light_sources.burning(who)]
    apart = {who.id for who in everybody if who.has(APART)}
    served: dict[str, int] = {}
    for light in lights:
        if light.shared:
            _give(served, light.lit, 0)
            _give(served, light.dim, 1)
        elif light.source.own or light.bearer in apart:
            _give(served, (light.bearer,), 0 if light.source.lit else 1)
    common = [light for light in lights if not light.shared and not light.source.own and light.bearer not in apart]
    _share_out(served, common, [who.id for who in there if who.id not in apart])
    return served


def _share_out(served: dict[str, int], lights: Sequence[light_sources.Burning], there: Sequence[str]) -> None:
    bearers = [light.bearer for light in lights if light.bearer in there]
    waiting = [name for name in dict.fromkeys((*bearers, *there)) if served.get(name) != 0]
    lit, dim = sum(light.source.lit for light in lights), sum(light.source.dim for light in lights)
    _give(served, waiting[:lit], 0)
    _give(served, waiting[lit : lit + dim], 1)


def _give(served: dict[str, int], names: Sequence[str], dark: int) -> None:
    for name in names:
        served[name] = min(dark, served.get(name, dark))
