"""Hit points: how many there are, and what state of health they come to (R0.50–R0.57)."""

from __future__ import annotations

from ruleset_plugins import Character, Kind, Term, conditions
from ruleset_plugins.storytoken.abilities import bonus
from ruleset_plugins.storytoken.experience import flat_hit_points
from ruleset_plugins.storytoken.heritages import heritage_of
from ruleset_plugins.storytoken.roles import role_terms
from ruleset_plugins.storytoken.settings import Settings

SLAIN = "slain"
"""The last blow at 0 hit points or fewer was one from which this heritage does not return (Q0.55)."""

HIT_DICE = "hit_dice"
"""The stat that holds the sum of all hit dice."""

MAX_HP = "max_hp"
"""The stat that holds hit points entered for monsters, or added by ruling."""

FULL_HEALTH, INJURED, KNOCKED_OUT, KILLED = "Full Health", "Injured", "Unconscious", "Dead"
WORKING, DAMAGED, STOPPED, WRECKED = "Working", "Damaged", "Out of order", "Beyond repair"


def max_hp_terms(who: Character, settings: Settings) -> list[Term]:
    """Hit dice + Constitution x level + the flat part past level 9 + what was entered; never below 1 (Q0.17)."""
    counted, con = _con_levels(who, settings), bonus(who, "con")
    terms = [
        Term(who.stats.get(HIT_DICE, 0), "hit dice", "R0.50", f"stat.{HIT_DICE}"),
        Term(con * counted, f"CON {con:+d} x {counted}", "R0.50", "stat.con"),
        Term(flat_hit_points(who.level, settings), "past level 9", "R0.51", "level"),
        *role_terms(who, "max_hp", settings),
        Term(who.stats.get(MAX_HP, 0), "as entered", "QG.8", f"stat.{MAX_HP}"),
    ]
    terms = [term for term in terms if term.amount]
    missing = settings.min_max_hp - sum([term.amount for term in terms])
    if missing > 0:
        terms.append(Term(missing, f"at least {settings.min_max_hp}", "Q0.17"))
    return terms


def derived_hp(who: Character, settings: Settings) -> int:
    """What those terms come to, before the lower bound; every blow asks for it."""
    total = who.stats.get(HIT_DICE, 0) + who.stats.get(MAX_HP, 0) + bonus(who, "con") * _con_levels(who, settings)
    total += flat_hit_points(who.level, settings)
    return total + sum([term.amount for term in role_terms(who, "max_hp", settings)])


def max_hp(who: Character, settings: Settings) -> int:
    """The most hit points that somebody can have."""
    return max(derived_hp(who, settings), settings.min_max_hp)


def _con_levels(who: Character, settings: Settings) -> int:
    """The levels that Constitution counts for: all of them, or those up to a cap (Q0.15)."""
    cap = settings.hp_con_cap_level
    return who.level if cap == "none" else min(who.level, int(cap))


def current_hp(who: Character, settings: Settings) -> int:
    """The hit points left."""
    return max_hp(who, settings) - who.lost


def returns(who: Character) -> bool:
    """Whether death does not hold somebody, because nothing that could slay them struck last (Q0.55)."""
    return bool(heritage_of(who).slain_by) and not who.has(SLAIN)


def status(who: Character, settings: Settings) -> str:
    """The state of health in a word (R0.57); machines and things have their own words for it (R0.56)."""
    names = (FULL_HEALTH, INJURED, KNOCKED_OUT, KILLED)
    if who.kind is Kind.THING:
        names = (WORKING, DAMAGED, STOPPED, WRECKED)
    most = max_hp(who, settings)
    left = most - who.lost
    if who.has(conditions.DEAD) or (left <= -most and not returns(who)):
        return names[3]
    if left <= 0:
        return names[2]
    return names[1] if left < most else names[0]
