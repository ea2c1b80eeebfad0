"""What a sheet says in words: health, birth, trade, spells, conditions, gear, open choices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ruleset_plugins import (
    ABILITY_NAMES,
    DAY,
    HOUR,
    MINUTE,
    Character,
    Condition,
    choice_words,
    gear_words,
    with_detail,
)
from ruleset_plugins.storytoken.expertise import gadgets_held
from ruleset_plugins.storytoken.heritages import chosen_ability, form_of, heritage_of
from ruleset_plugins.storytoken.hit_points import status
from ruleset_plugins.storytoken.innate_power import innate_spell
from ruleset_plugins.storytoken.roles import power, roles_of
from ruleset_plugins.storytoken.settings import Settings
from ruleset_plugins.storytoken.social import ATTITUDE
from ruleset_plugins.storytoken.spells import TRADITIONS, known_spells


def told(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    """The lines of a sheet that are not numbers, each with its label."""
    yield "Status", status(who, settings)
    heritage = heritage_of(who)
    if heritage.key:
        yield "Heritage", f"{heritage.name}. {_heritage_words(who)}"
    for role in roles_of(who):
        yield role.name, role.told(who.level, settings)
    yield from _powers(who, settings)
    attitudes = who.traits_of(ATTITUDE)
    if attitudes:
        yield "Attitude", attitudes[-1]
    if who.conditions:
        yield "Conditions", ", ".join(_condition(condition) for condition in who.conditions.values())
    yield from gear_words(who)
    yield from choice_words(who)


def _powers(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    for tradition in TRADITIONS:
        if spells := known_spells(who, tradition):
            yield f"{tradition.title()} spells", ", ".join(spell.said for spell in spells)
    if innate_spell(who):
        yield "Inborn spell", innate_spell(who)
    if gadgets_held(who):
        yield "Gadgets", f"{gadgets_held(who)} of {power(who, 'gadgets', settings)} are out"


def _condition(condition: Condition) -> str:
    """A condition, what it is about, and until when it lasts."""
    until = f"until {moment(condition.until)}" if condition.until > 0 else ""
    about = ", ".join(part for part in (condition.detail, until) if part)
    return with_detail(condition.name, about)


def moment(clock: int) -> str:
    """A moment of the campaign's clock: ``day 2, 00:20``. It stays the same while time goes by, and so does the sheet."""
    day, second = divmod(clock, DAY)
    time = f"{second // HOUR:02}:{second % HOUR // MINUTE:02}"
    return f"day {day + 1}, {time}" + (f":{second % MINUTE:02}" if second % MINUTE else "")


@lru_cache(maxsize=256)
def _excels(abilities: tuple[str, ...], kinds: tuple[str, ...]) -> str:
    named = " and ".join(ABILITY_NAMES[ability] for ability in abilities)
    what = "task rolls" if "task" in kinds else "checks and saves"
    return f"advantage on {named} {what}"


def _heritage_words(who: Character) -> str:
    heritage = heritage_of(who)
    ability = chosen_ability(who) if not heritage.forms else ""
    excels = tuple(each for each in (heritage.advantage or (ability,)) if each in ABILITY_NAMES)
    gifts = [
        _excels(excels, heritage.advantage_on) if excels else "",
        f"armour class {heritage.armour_class:+d}" if heritage.armour_class else "",
        f"speed {heritage.speed:+d} ft" if heritage.speed else "",
        f"is in {form_of(who)} form" if heritage.forms else "",
        f"sees {heritage.darkvision} ft in the dark" if heritage.darkvision else "",
    ]
    told = ", ".join(gift for gift in gifts if gift)
    return f"{heritage.words} {told.capitalize()}." if told else heritage.words
