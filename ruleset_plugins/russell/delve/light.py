"""Lit, dim and dark: the light that each character is in, and what it does to a roll (R3.62–R3.70, Q3.38, Q3.39).

The light that somebody is in is a condition (none means good light), begun and ended whenever a light or the place changes,
so that a roll reads only the one who makes it. A place is as light as the GM says; lights that burn in the party serve
their bearers first, then the others in the order of their arrival, unless somebody decides otherwise.
"""

from collections.abc import Sequence

from ruleset_plugins import CampaignState, Character, CharacterKind, Table, events
from ruleset_plugins.kit import conditions, d20, fields
from ruleset_plugins.russell.character.templates import effect
from ruleset_plugins.russell.delve import light_sources
from ruleset_plugins.russell.party import in_party
from ruleset_plugins.russell.settings import house

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

IN_DIM = d20.Advantage(disadvantage=("dim light",))
HIDDEN_BY_DIM = d20.Advantage(advantage=("dim light",))
IN_DARK = d20.Advantage(disadvantage=("dark", "dark"))
ONCE_DARK = d20.Advantage(disadvantage=("dark",))
LISTENING = d20.Advantage(advantage=("used to the dark",))


def shade(who: Character) -> str:
    """The light that somebody is in: "lit", "dim" or "dark"."""
    return "dark" if who.has(DARK) else "dim" if who.has(DIM) else "lit"


def light_ease(campaign: CampaignState, who: Character, kind: str) -> d20.Advantage:
    """What the light does to a roll of this kind."""
    if who.has(DARK):
        return _dark_ease(campaign, who, kind)
    if who.has(DIM):
        return _dim_ease(who, kind)
    return d20.NO_ADVANTAGE


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
    """Whether a class template or the like lets somebody ignore the penalties of dim light (R3.65)."""
    return DIM_SIGHT in who.traits or DIM_SIGHT in who.traits.values() or effect(who, "sees_in_dim") > 0


def check_skill(table: Table, who: Character) -> None:
    """Refuse any skill in the dark (R3.62)."""
    if who.has(DARK):
        table.refuse(f"{who.name} is in the dark, where no skill can be tried. Make light first: light {who.id} torch")


def check_shot(table: Table, target: Character, band: str, bands: Sequence[str]) -> None:
    """Refuse a shot at somebody in the dark, and one from beyond close range at somebody in dim light (R3.64, R3.66)."""
    if target.has(DARK):
        table.refuse(f"{target.name} is in the dark and cannot be seen, so nobody can shoot at them.")
    near = bands[: bands.index("close") + 1] if "close" in bands else bands[:2]
    if target.has(DIM) and band and band not in near:
        table.refuse(f"{target.name} is in dim light and can be shot at from {near[-1]} range only, not from {band}.")


def check_nerve(table: Table, who: Character) -> None:
    """Refuse what a hireling would do in an unintended darkness before they pass Morale (R3.63)."""
    dark = who.conditions.get(DARK) if who.kind is CharacterKind.HIRELING else None
    if dark is not None and not fields.flag(dark.data, ON_PURPOSE) and not who.has(STEADY):
        state = "panics" if who.has(PANICKING) else "is in the dark and loses their head"
        table.refuse(
            f"{who.name} {state}, and can do nothing else until there is light or Morale holds. The GM tests it with: "
            f"morale {who.id} --trigger dark"
        )


def settle_light(table: Table, *, on_purpose: bool = False) -> None:
    """Record which light everybody is in now. Call it when a light, the place or the party changes."""
    everybody = table.characters()
    for who in everybody:
        light_sources.forget_lost(table, who)
    party = [who for who in everybody if _is_concerned(who)]
    place = table.gm_pools.get(DARKNESS, 0)
    served = _served(everybody, party)
    for who in party:
        there = conditions.text(who.conditions.get(APART), "shade")
        apart = SHADES.index(there) if there in SHADES else 0
        base = apart if who.has(APART) else max(0, min(place, 2))
        _stand(table, who, min(base, served.get(who.id, 2)), on_purpose=on_purpose)


def _is_concerned(who: Character) -> bool:
    """Whether light matters for somebody: the party's living, and all whose light was ruled on."""
    return (in_party(who) and not who.has(conditions.DEAD)) or who.has(APART) or who.has(DIM) or who.has(DARK)


def _stand(table: Table, who: Character, dark: int, *, on_purpose: bool) -> None:
    wanted = STANDS[dark]
    for other in (DIM, DARK) if wanted == DARK else (DIM, DARK, STEADY, PANICKING):
        if other != wanted:
            conditions.end(table, who.id, other)
    if wanted:
        hiding = on_purpose and wanted == DARK
        data: events.Data = {ON_PURPOSE: True} if hiding else {}
        conditions.begin(table, who.id, wanted, detail="on purpose" if hiding else "", data=data)


def _served(everybody: Sequence[Character], party: Sequence[Character]) -> dict[str, int]:
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
    _share_out(served, common, [who.id for who in party if who.id not in apart])
    return served


def _share_out(served: dict[str, int], lights: Sequence[light_sources.Burning], party: Sequence[str]) -> None:
    bearers = [light.bearer for light in lights if light.bearer in party]
    waiting = [name for name in dict.fromkeys((*bearers, *party)) if served.get(name) != 0]
    lit, dim = sum(light.source.lit for light in lights), sum(light.source.dim for light in lights)
    _give(served, waiting[:lit], 0)
    _give(served, waiting[lit : lit + dim], 1)


def _give(served: dict[str, int], names: Sequence[str], dark: int) -> None:
    for name in names:
        served[name] = min(dark, served.get(name, dark))
