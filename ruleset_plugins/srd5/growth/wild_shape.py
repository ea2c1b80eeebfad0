"""Wild shape: a beast's numbers for half the druid's level in hours, and back (R5.187, R5.377, R5.378).

On record: the beast's stat block is a trait, whose data hold what the numbers were changed by, and the condition
"wild shape" lasts as long as the form may. Hit points, Intelligence, Wisdom and Charisma stay.
"""

from fractions import Fraction

from rollbook.kit import conditions as kit
from rollbook.plugin import Character, Table, events, not_found, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import classes, features
from rollbook.rulesets.srd5.effects import shapes
from rollbook.rulesets.srd5.fight import conditions, damage, dying, encounter, hit_points, rulings
from rollbook.rulesets.srd5.growth import using
from rollbook.rulesets.srd5.growth.using import Using
from rollbook.rulesets.srd5.settings import Settings

SHAPE = "wild shape"
BACK = "back"


def take_shape(use: Using) -> None:
    """Become a beast of a challenge that one's level allows, with temporary hit points of the level (R5.377)."""
    table, who = use.table, use.who
    turn_back(table, who.id)
    if BACK in use.chosen:
        return
    block = form(table, who, use.chosen[0] if use.chosen else "")
    shapes.take(table, who.id, block, reason=SHAPE)
    level = classes.level_in(who, "druid")
    until = table.clock + max(level // 2, 1) * 3_600
    casts = features.has(who, "Beast Spells")
    data: events.Data = {"of": use.own.origin, "at": ("2",)} if not casts else {}
    kit.begin(table, who.id, SHAPE, detail=block.name, until=until, data=data, again=True)
    most = block.hit_points if Settings.of(table).is_old else level
    hit_points.give_temporary(table, who.id, most, reason=SHAPE)


def form(table: Table, who: Character, typed: str) -> catalogue.Monster:
    """The beast that somebody means. Refused for what is none, or beyond one's level (R5.378)."""
    level = classes.level_in(who, "druid")
    row = [each for each in catalogue.classes()["druid"].shapes if each.level <= level][-1]
    beasts = [each for each in catalogue.monsters().values() if each.kind == "beast"]
    may = [each for each in beasts if Fraction(each.cr) <= Fraction(row.challenge) and (row.fly or not each.speed.fly)]
    found = catalogue.clear({each.key: each for each in may}, slug(typed))
    if found is None and catalogue.clear({each.key: each for each in beasts}, slug(typed)) is not None:
        why = f"up to challenge {row.challenge}{'' if row.fly else ', none that flies'}"
        table.refuse(f"{who.name} takes the forms of beasts {why}, which a {typed} is not.", "chosen")
    if found is None:
        raise not_found("beast", typed or "?", [each.name for each in may])
    return found


def turn_back(table: Table, name: str) -> None:
    """Turn back, if somebody is in a form."""
    shapes.turn_back(table, name)
    kit.end(table, name, SHAPE)


def follow(table: Table, name: str) -> None:
    """Turn back once the form is over: by its time, by incapacity, by death."""
    who = table.character(name)
    in_form = classes.level_in(who, "druid") and shapes.form_of(who) and not who.has("polymorph")
    if in_form and (not who.has(SHAPE) or conditions.is_unable(who)):
        turn_back(table, name)


def worn_out(table: Table, name: str, *_: object) -> None:
    """Turn back once a beast's hit points are gone, which stand before one's own in the edition of 2014 (Q5.44)."""
    who = table.character(name)
    if who.has(SHAPE) and Settings.of(table).is_old and not hit_points.temporary(who):
        turn_back(table, name)


damage.AFTERWARDS.append(worn_out)
using.INSTEAD["Wild Shape"] = take_shape
dying.ON_FALLING.append(follow)
rulings.ON_TIME.append(lambda table, name, *_: follow(table, name))
encounter.AT_START.append(lambda table, _, name: follow(table, name))
