"""Hit points, also of a spirit's conjured body: maximum, healing, falling, dying, rulings (R0.50–R0.57, R0.153, QG.8, QG.9).

The maximum is derived; the campaign keeps what was lost. Being unconscious or dead is a condition, because other rules ask
for it. Only a ruling undoes death.
"""

from rollbook.kit import clock, counters, dying, sheet_lines
from rollbook.kit import hit_points as kit
from rollbook.plugin import Character, CharacterKind, Condition, Table, Term, events
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.abilities import bonus
from rollbook.rulesets.storytoken.character.experience import flat_hit_points
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.character.roles import power, role_terms
from rollbook.rulesets.storytoken.settings import Settings

BODY = "body"
"""The pool that counts the hit points of the conjured body."""


def hurt_body(table: Table, who: Character, dealt: int, through: int, *, tags: tuple[str, ...], source: str) -> int:
    """Hurt the body instead of the spirit; at 0 hit points it is gone. Returns how many it lost."""
    amount = max(min(through, who.pools.get(BODY, 0)), 0)
    table.record(events.DamageTaken(character=who.id, amount=0, dealt=dealt, tags=(*tags, BODY), source=source))
    counters.change(table, who.id, BODY, -amount, source or "hurt")
    if table.character(who.id).pools.get(BODY, 0) <= 0:
        decay(table, who.id)
    return amount


def mend_body(table: Table, who: Character, amount: int, *, most: int) -> int:
    """Heal the body, up to the spirit's own maximum. Returns how many hit points it got back."""
    back = max(min(amount, most - who.pools.get(BODY, 0)), 0)
    counters.change(table, who.id, BODY, back, "healed")
    return back


def check_touches(table: Table, who: Character, what: str) -> None:
    """Refuse to let a ghost without a body touch anything."""
    if heritage_of(who).ghost and not who.has(conditions.EMBODIED):
        table.refuse(
            f"{who.name} is a ghost and touches nothing{what}. It conjures a body with: manifest {who.id} body"
        )


AWAKENING = {"the hours until a spirit that lost its body awakens": "hours until it awakens"}
OF_SPIRITS = dict.fromkeys(AWAKENING, lambda who: heritage_of(who).ghost)
"""The rolls of a spirit's body, and whom they befall."""


def decay(table: Table, name: str, *, over: Condition | None = None) -> None:
    """The body decays and its conditions end; 1d6 hours later the spirit awakens. ``over`` is the condition, if time ended it."""
    embodied = over or table.character(name).conditions.get(conditions.EMBODIED)
    conditions.end(table, name, conditions.EMBODIED)
    for state in [state for state, _ in conditions.states_of(table.character(name)) if state.bodily]:
        conditions.end(table, name, state.key)
    counters.empty(table, name, BODY, "decays")
    hours = table.roll("1d6", roller=name, purpose="hours until it awakens").total
    until = (over.until if over else table.clock) + hours * clock.HOUR
    conditions.begin(table, name, conditions.DORMANT, detail=conditions.text(embodied, conditions.ANCHOR), until=until)


lose, roll_amount, check_can_heal = kit.lose, kit.roll_amount, kit.check_can_heal

SLAIN = "slain"
"""The last blow at 0 hit points or fewer was one that slays this heritage (Q0.55)."""

HIT_DICE, MAX_HP = "hit_dice", "max_hp"
"""Stats: the sum of all hit dice, and hit points entered for monsters or added by ruling."""

STATUS = ("Full Health", "Injured", "Unconscious", "Dead")
STATUS_OF_THINGS = ("Working", "Damaged", "Out of order", "Beyond repair")


def max_hp_terms(who: Character, settings: Settings) -> tuple[Term, ...]:
    """Hit dice + Constitution x level + the flat part past level 9 + a number entered; never below 1 (Q0.17)."""
    counted, con = con_levels(who.level, settings), bonus(who, "con")
    terms = [
        Term(who.stats.get(HIT_DICE, 0), "hit dice", "R0.50", f"stat.{HIT_DICE}"),
        Term(con * counted, f"CON {con:+d} x {counted}", "R0.50", "stat.con"),
        Term(flat_hit_points(who.level, settings), "past level 9", "R0.51", "level"),
        *role_terms(who, "max_hp", settings),
        Term(who.stats.get(MAX_HP, 0), "as entered", "QG.8", f"stat.{MAX_HP}"),
    ]
    return sheet_lines.at_least((term for term in terms if term.amount), settings.min_max_hp, "Q0.17")


def derived_hp(who: Character, settings: Settings) -> int:
    """The sum of those terms before the lower bound. Every blow needs it, so it builds no terms."""
    total = who.stats.get(HIT_DICE, 0) + who.stats.get(MAX_HP, 0) + bonus(who, "con") * con_levels(who.level, settings)
    total += flat_hit_points(who.level, settings)
    return total + sum([term.amount for term in role_terms(who, "max_hp", settings)])


def max_hp(who: Character, settings: Settings) -> int:
    """The most hit points that a character can have."""
    return max(derived_hp(who, settings), settings.min_max_hp)


def con_levels(level: int, settings: Settings) -> int:
    """The levels that Constitution counts for: all of them, or those up to a cap (Q0.15)."""
    cap = settings.hp_con_cap_level
    return level if cap == "none" else min(level, int(cap))


def current_hp(who: Character, settings: Settings) -> int:
    """The hit points left."""
    return max_hp(who, settings) - who.lost


def _lines(who: Character, most: int) -> dying.Lines:
    """Unconscious at 0, dead at the maximum below 0; no such line for those who return from death (R0.54, Q0.55)."""
    return dying.Lines(dies_at=None if returns(who) else -most)


def returns(who: Character) -> bool:
    """Tell if a character comes back from death, because the last blow was none that slays its heritage (Q0.55)."""
    return bool(heritage_of(who).slain_by) and not who.has(SLAIN)


def status(who: Character, settings: Settings) -> str:
    """The state of health in a word (R0.57); machines and things have their own words for it (R0.56)."""
    well, injured, down, gone = STATUS_OF_THINGS if who.kind is CharacterKind.THING else STATUS
    most = max_hp(who, settings)
    left = most - who.lost
    if who.has(conditions.DEAD) or (left <= -most and not returns(who)):
        return gone
    if left <= 0:
        return down
    return injured if left < most else well


BLOOD, TOKEN, REGENERATION = "blood", "token", "regeneration"
"""Tags of healing: the first two work against thirst, the third is by heritage."""

THIRST, BURNS = "thirst", "burns"
"""Pools of hit points that only blood brings back (Q0.55), and of those that fire and acid took for good (Q0.57)."""

MAGIC, SILVER, SUNLIGHT, RAGE = "magic", "silver", "sunlight", "rage"


def restore(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Give back hit points, to a spirit's body first; those that thirst took need blood or a story token (Q0.55)."""
    who = table.character(name)
    mended = 0
    if who.has(conditions.EMBODIED) and TOKEN not in tags:
        mended = mend_body(table, who, amount, most=max_hp(who, Settings.of(table)))
    waits = 0 if {BLOOD, TOKEN}.intersection(tags) else who.pools.get(THIRST, 0)
    back = kit.regain(table, name, amount - mended, tags=tags, source=source, keep_lost=waits)
    if back:
        heal_burns(table, name, back)
        update_conditions(table, name)


def heal_burns(table: Table, name: str, healed: int) -> None:
    """Healing other than regeneration heals a troll's burns first (Q0.57)."""
    burns = min(healed, table.character(name).pools.get(BURNS, 0))
    counters.change(table, name, BURNS, -max(burns, 0), "healed")


def update_conditions(table: Table, name: str, *, most: int | None = None) -> None:
    """Record falling unconscious, dying or coming round; the dead stay dead (QG.9). ``most``: the maximum if known."""
    who = table.character(name)
    if who.has(conditions.DEAD):
        return
    most = max_hp(who, Settings.of(table)) if most is None else most
    dying.settle(table, name, most=most, lines=_lines(who, most))
    if not who.has_lost(most):
        conditions.end(table, name, SLAIN)
        return
    conditions.end_manoeuvre(table, name)
    if who.has(conditions.RAGING):
        end_rage(table, name)


def end_rage(table: Table, name: str) -> None:
    """End a rage, by time, by choice or by a fall: it costs hit points (R0.161, Q0.53)."""
    conditions.end(table, name, conditions.RAGING)
    who, settings = table.character(name), Settings.of(table)
    cost = power(who, "rage_cost", settings)
    if cost > 0 and not who.has(conditions.DEAD):
        lose(table, name, cost, tags=(RAGE,))
        update_conditions(table, name)


def fall_to_zero(table: Table, name: str, source: str) -> None:
    """Take all hit points (R0.72, R0.83); a spirit loses its conjured body instead (R0.153)."""
    who = table.character(name)
    if who.has(conditions.EMBODIED):
        decay(table, name)
        return
    left = current_hp(who, Settings.of(table))
    if left > 0:
        lose(table, name, left, tags=(source,))
        update_conditions(table, name)


def die(table: Table, name: str, source: str) -> None:
    """Kill a character, whatever hit points are left; a spirit loses its conjured body instead (R0.153)."""
    if table.character(name).has(conditions.EMBODIED):
        decay(table, name)
        return
    conditions.end_manoeuvre(table, name)
    dying.die(table, name, source=source, ends=(conditions.UNCONSCIOUS, conditions.RAGING))


def after_change(table: Table, before: Character) -> None:
    """A sheet was changed: lift or clamp the current hit points (Q0.83), and update the conditions. The hook of rulings, too.

    Hit points that a ruling gave may undo death (QG.8). Thirst and burns never count more than the hit points that are lost.
    """
    settings = Settings.of(table)
    if dying.follow_change(
        table, before, most=lambda who: max_hp(who, settings), lines=lambda who: _lines(who, max_hp(who, settings))
    ):
        conditions.end(table, before.id, conditions.STONE)
    after = table.character(before.id)
    for pool in (THIRST, BURNS):
        beyond = after.pools.get(pool, 0) - max(after.lost, 0)
        counters.change(table, before.id, pool, -max(beyond, 0), "healed")
    update_conditions(table, before.id)
