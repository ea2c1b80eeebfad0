"""Hit points, unconsciousness and death (R0.50–R0.57).

Maximum hit points are derived, current ones are the maximum less what was lost. Being unconscious or dead is recorded
as a condition, because rules that follow ask for it; the name of the state of health is derived. Death is final (QG.9).
"""

from __future__ import annotations

from ruleset_plugins import Character, Kind, Table, Term, events
from ruleset_plugins.storytoken.abilities import bonus
from ruleset_plugins.storytoken.experience import flat_hit_points
from ruleset_plugins.storytoken.settings import Settings, house
from ruleset_plugins.storytoken.traits import heritage_of, role_terms

UNCONSCIOUS = "unconscious"
DEAD = "dead"
SLAIN = "slain"
"""The last blow at 0 hit points or fewer was one from which this heritage does not return (Q0.55)."""

HIT_DICE = "hit_dice"
"""The stat that holds the sum of all hit dice."""

MAX_HP = "max_hp"
"""The stat that holds hit points entered for monsters, or added by ruling."""

BLOOD, TOKEN = "blood", "token"
"""The tags of healing that no thirst stands in the way of."""

THIRST = "thirst"
"""The pool that counts hit points which only blood brings back (Q0.55)."""

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


def max_hp(who: Character, settings: Settings) -> int:
    """The most hit points that somebody can have: the sum of those terms, which every blow asks for."""
    total = who.stats.get(HIT_DICE, 0) + who.stats.get(MAX_HP, 0) + bonus(who, "con") * _con_levels(who, settings)
    total += flat_hit_points(who.level, settings)
    total += sum([term.amount for term in role_terms(who, "max_hp", settings)])
    return max(total, settings.min_max_hp)


def _con_levels(who: Character, settings: Settings) -> int:
    """The levels that Constitution counts for: all of them, or those up to a cap (Q0.15)."""
    cap = settings.hp_con_cap_level
    return who.level if cap == "none" else min(who.level, int(cap))


def current_hp(who: Character, settings: Settings) -> int:
    """The hit points left."""
    return max_hp(who, settings) - who.lost


def status(who: Character, settings: Settings) -> str:
    """The state of health in a word (R0.57); machines and things have their own words for it (R0.56)."""
    names = (FULL_HEALTH, INJURED, KNOCKED_OUT, KILLED)
    if who.kind is Kind.THING:
        names = (WORKING, DAMAGED, STOPPED, WRECKED)
    most = max_hp(who, settings)
    left = most - who.lost
    if who.has(DEAD) or (left <= -most and not _returns(who)):
        return names[3]
    if left <= 0:
        return names[2]
    return names[1] if left < most else names[0]


def _returns(who: Character) -> bool:
    """Whether death does not hold somebody, because nothing that could slay them struck last (Q0.55)."""
    return bool(heritage_of(who).slain_by) and not who.has(SLAIN)


def hurt(
    table: Table, name: str, dealt: int, *, tags: tuple[str, ...] = (), source: str = "", stop_at_zero: bool = False
) -> int:
    """Somebody loses ``dealt`` hit points, or with ``stop_at_zero`` only those above 0. Returns how many."""
    who = table.character(name)
    left = current_hp(who, house(table))
    amount = min(dealt, max(left, 0)) if stop_at_zero else dealt
    table.record(events.DamageTaken(character=name, amount=amount, dealt=dealt, tags=tags, source=source))
    slain_by = heritage_of(who).slain_by
    if slain_by and amount and left - amount <= 0:
        _mark_last_blow(table, who, next((tag for tag in tags if tag in slain_by), ""))
    settle(table, name)
    return amount


def _mark_last_blow(table: Table, who: Character, deadly: str) -> None:
    if deadly and not who.has(SLAIN):
        table.record(events.ConditionBegan(character=who.id, condition=SLAIN, detail=deadly))
    elif not deadly and who.has(SLAIN) and not who.has(DEAD):
        table.record(events.ConditionEnded(character=who.id, condition=SLAIN))


def restore(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "") -> int:
    """Somebody gets up to ``amount`` hit points back, the dead get none. Returns how many.

    What thirst took waits for blood, or for a story token (Q0.55).
    """
    who = table.character(name)
    if who.has(DEAD):
        return 0
    waits = 0 if {BLOOD, TOKEN}.intersection(tags) else who.pools.get(THIRST, 0)
    amount = min(amount, who.lost - waits)
    if amount > 0:
        table.record(events.HitPointsRestored(character=name, amount=amount, tags=tags, source=source))
        settle(table, name)
    return max(amount, 0)


def settle(table: Table, name: str, *, ruled: bool = False) -> None:
    """Record who falls unconscious, dies or comes round. Only a ruling (``ruled``) undoes death (QG.9)."""
    who = table.character(name)
    if who.has(DEAD) and not ruled:
        return
    most = max_hp(who, house(table))
    left = most - who.lost
    is_dead = left <= -most and not _returns(who)
    if who.has(DEAD) and not is_dead:
        table.record(events.ConditionEnded(character=name, condition=DEAD))
    if who.has(UNCONSCIOUS) and (is_dead or left > 0):
        table.record(events.ConditionEnded(character=name, condition=UNCONSCIOUS))
    if who.has(SLAIN) and left > 0:
        table.record(events.ConditionEnded(character=name, condition=SLAIN))
    if is_dead and not who.has(DEAD):
        table.record(events.ConditionBegan(character=name, condition=DEAD))
    elif left <= 0 and not is_dead and not who.has(UNCONSCIOUS):
        table.record(events.ConditionBegan(character=name, condition=UNCONSCIOUS))


def after_change(table: Table, before: Character, *, ruled: bool = False) -> None:
    """A maximum may have changed: what rises lifts the current value, what falls clamps it (Q0.83); then settle."""
    settings = house(table)
    after = table.character(before.id)
    fallen = max_hp(before, settings) - max_hp(after, settings)
    if fallen > 0 and after.lost > 0 and not after.has(DEAD):
        amount = min(fallen, after.lost)
        table.record(events.HitPointsRestored(character=after.id, amount=amount, tags=("maximum fell",)))
    settle(table, before.id, ruled=ruled)


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: somebody's sheet was changed by hand, which can even undo death (QG.8, QG.9)."""
    after_change(table, before, ruled=True)
