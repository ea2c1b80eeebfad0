"""Hit points: the maximum and its terms, temporary ones, healing (R5.76, R5.77, R5.88, R5.101–R5.104, R5.217–R5.222).

On record: the engine's ``lost``; the stat ``hit_dice_total`` is the sum of what the hit dice of a character's levels
gave, to which Constitution is added for each level; the stat ``max_hp`` is a monster's whole maximum, or a ruling on
top; ``max_hp_reduced`` is what is taken from it until a long rest. Temporary hit points are the pool ``temporary``.
"""

from collections.abc import Iterator

from rollbook.kit import conditions, counters, fields, hit_points, verbs
from rollbook.kit import dying as kit_dying
from rollbook.plugin import CampaignState, Character, Table, Term, events, flag
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.lasting import SLOT, Held, effects_on
from rollbook.rulesets.srd5.fight import dying, states
from rollbook.rulesets.srd5.settings import Settings

MAX_HP, DICE_TOTAL, REDUCED = "max_hp", "hit_dice_total", "max_hp_reduced"
TEMPORARY = "temporary"


def max_hp_terms(who: Character, settings: Settings) -> Iterator[Term]:
    """The terms of the maximum (R5.217, R5.222)."""
    total = 0
    for term in _full_terms(who):
        total += term.amount
        yield term
    if settings.is_old and states.level_of_exhaustion(who) >= 4:
        yield Term(total // 2 - total, states.EXHAUSTION, "R5.135", f"condition.{states.EXHAUSTION}")


def _full_terms(who: Character) -> Iterator[Term]:
    stats = who.stats
    dice = stats.get(DICE_TOTAL, 0)
    if dice:
        more = abilities.modifier(who, "con") * who.level
        yield Term(dice, "hit dice", "R5.221", f"stat.{DICE_TOTAL}")
        yield Term(max(more, who.level - dice), "CON", "R5.222", "stat.con")
    if MAX_HP in stats:
        yield Term(stats[MAX_HP], "as entered", "R5.76", f"stat.{MAX_HP}")
    for held in effects_on(who, "maximum"):
        yield Term(_maximum_of(who, held), held.label, "R5.76")
    if stats.get(REDUCED):
        yield Term(-stats[REDUCED], "reduced", "R5.91", f"stat.{REDUCED}")


def _maximum_of(who: Character, held: Held) -> int:
    """Number that an effect adds to the maximum: its number, what each slot level adds, or what was rolled for it."""
    effect, data = held.effect, held.condition.data if held.condition is not None else {}
    if not effect.by.lstrip("-").isdecimal():
        return fields.number(data, "rolled")
    grown = int(effect.slot or 0) * fields.number(data, SLOT)
    return int(effect.by) * (who.level if effect.each else 1) + grown


def max_hp(who: Character, settings: Settings) -> int:
    """The maximum, never below 0."""
    return max(sum([term.amount for term in max_hp_terms(who, settings)]), 0)


def left(who: Character, settings: Settings) -> int:
    """The hit points left."""
    return max(max_hp(who, settings) - who.lost, 0)


def temporary(who: Character) -> int:
    """Temporary hit points (R5.101)."""
    return max(who.pools.get(TEMPORARY, 0), 0)


def give_temporary(table: Table, name: str, amount: int, *, reason: str = "") -> None:
    """Give temporary hit points: the larger of the old and the new stay (R5.103, Q5.9), and they wake nobody (R5.104)."""
    who = table.character(name)
    more = amount - temporary(who)
    if more > 0 and not states.forbids(who, "temporary hit points"):
        counters.change(table, name, TEMPORARY, more, reason)


def is_bloodied(who: Character, settings: Settings) -> bool:
    """True with half the hit points or fewer, and any at all (R5.77)."""
    most = max_hp(who, settings)
    return 0 < most - who.lost <= most // 2


def restore(table: Table, name: str, amount: int, *, source: str = "", temporary: bool = False) -> int:
    """Give hit points back, up to the maximum; who was down comes round (R5.88, R5.93). Returns how many came back."""
    if temporary:
        give_temporary(table, name, amount, reason=source)
        return 0
    who = table.character(name)
    if states.forbids(who, "regain hit points"):
        return 0
    came_back = hit_points.regain(table, name, amount, source=source)
    if came_back:
        dying.come_round(table, name)
    return came_back


def _check_can_heal(table: Table, who: Character, *, temporary: bool = False) -> None:
    if not temporary:
        hit_points.check_can_heal(table, who)


Heal = verbs.heal_verb(
    restore,
    check=_check_can_heal,
    help="Give hit points back, or temporary ones, without a spell (R5.88, R5.101).",
    fields={"temporary": flag("temporary hit points, which do not add up")},
)


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: hit points or a maximum were changed by hand, which may even undo death."""
    settings = Settings.of(table)
    lines = kit_dying.Lines(down=states.UNCONSCIOUS, dies_at=None)
    lives = kit_dying.follow_change(table, before, most=lambda who: max_hp(who, settings), lines=lambda _: lines)
    if lives:
        dying.come_round(table, before.id)
    settle(table, before.id)


def follow_maximum(table: Table, before: Character) -> None:
    """Keep the hit points left as they were under another maximum, or at the maximum where it is below them (R5.91)."""
    settings, who = Settings.of(table), table.character(before.id)
    most = max_hp(who, settings)
    amount = min(left(before, settings), most) - (most - who.lost)
    if amount and not who.has(states.DEAD):
        table.record(events.HitPointsCorrected(character=who.id, amount=amount, reason="another maximum"))
    settle(table, who.id)


def exhaust(table: Table, name: str, levels: int) -> int:
    """Add levels of exhaustion, or take them away; the sixth is death (R5.135, R5.136). Returns the level."""
    who = table.character(name)
    had = states.level_of_exhaustion(who)
    level = max(0, min(had + levels, states.MOST_EXHAUSTED))
    is_kept = levels < 0 and any(map(who.has, states.STARVED))
    if is_kept or (level > had and states.is_immune(table, who, states.EXHAUSTION)):
        return had
    if level:
        conditions.begin(table, name, states.EXHAUSTION, detail=f"level {level}", data={"level": level}, again=True)
    else:
        conditions.end(table, name, states.EXHAUSTION)
    if level >= states.MOST_EXHAUSTED:
        dying.die(table, name)
    follow_maximum(table, who)
    return level


def settle(table: Table, name: str) -> None:
    """Record that somebody falls or comes round, as the hit points left have it; a maximum of 0 is death (R5.91)."""
    settings, who = Settings.of(table), table.character(name)
    most = max_hp(who, settings)
    if who.has(states.DEAD):
        return
    if not most and who.stats.get(REDUCED):
        dying.die(table, name)
    elif not most:
        return
    elif not who.has_lost(most):
        dying.come_round(table, name)
    elif dying.lies_as_elsewhere(who):
        dying.lie(table, name)
    elif not dying.is_down(who):
        dying.fall(table, name)


def status(who: Character, campaign: CampaignState | Table) -> str:
    """The state of health in a word or two."""
    settings = Settings.of(campaign)
    if who.has(states.DEAD):
        return "dead"
    if dying.is_dying(who):
        return f"dying ({dying.count(who)})"
    if states.has(who, states.UNCONSCIOUS):
        return "unconscious, stable" if who.has(states.STABLE) else "unconscious"
    return "bloodied" if is_bloodied(who, settings) else "up" if not who.lost else "hurt"
