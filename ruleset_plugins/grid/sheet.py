"""The sheet: every number with its terms, the armour class against each attack, and the things and spells at hand."""

from collections.abc import Iterator

from rollbook.kit import ability_scores, conditions, sheet_lines, sides, squares
from rollbook.plugin import CampaignState, Character, Sheet, Term, Value, summed
from rollbook.rulesets.grid.armour import armour_of, armour_terms, shield_of
from rollbook.rulesets.grid.attack_rolls import attack_terms, damage_terms, hand_terms
from rollbook.rulesets.grid.encounter import initiative_terms, is_nowhere
from rollbook.rulesets.grid.hands import unusual
from rollbook.rulesets.grid.hit_points import max_hp, max_hp_terms, status
from rollbook.rulesets.grid.movement import speed_terms, squares_per_move
from rollbook.rulesets.grid.saves import KINDS, save_terms, title_of
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.spells import castings_left, casts_pool, spells_of
from rollbook.rulesets.grid.squares import FEET
from rollbook.rulesets.grid.stats import SKILLS, STATS, class_name, class_of, skill_terms, stat_term, total
from rollbook.rulesets.grid.weapons import DOWN, WIELDED, Weapon, at_hand, can_shoot, weapons_of, wielded

BODY, STATS_GROUP, SAVES_GROUP, SKILLS_GROUP, ATTACKS, SPELLS, PROGRESS = (
    *("Body", "Stats", "Saves", "Skills", "Attacks"),
    *("Spells", "Progress"),
)


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = Settings.of(campaign)
    return sheet_lines.sheet(
        who, class_name(who) or str(who.kind), _values(who, settings), _words(who, settings, campaign)
    )


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    yield from _body(who, settings)
    for stat in STATS:
        yield summed(stat, ability_scores.NAMES[stat], (stat_term(who, stat),), group=STATS_GROUP, signed=True)
    for kind in KINDS:
        label = f"{title_of(kind)} save"
        yield summed(f"save:{kind}", label, save_terms(who, kind, settings), group=SAVES_GROUP, signed=True)
    for key, skill in SKILLS.items():
        yield summed(key, skill.name, skill_terms(who, key, settings), group=SKILLS_GROUP, signed=True)
    yield from _attacks(who, settings)
    for spell in spells_of(who):
        left = castings_left(who, spell)
        gone = Term(left - spell.castings, "cast", "Q4.30", f"pool.{casts_pool(spell)}")
        terms = (Term(spell.castings, "castings", spell.rule), gone)
        yield Value(f"spell:{spell.key}", spell.name, left, f"{left} of {spell.castings}", terms, SPELLS)
    row = class_of(who, settings)
    if row is not None:
        yield summed("level", "Level", (Term(row.level, row.name, "Q4.1", f"trait.{row.name}"),), group=PROGRESS)
    if who.experience:
        yield sheet_lines.experience(who, group=PROGRESS)


def _body(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("ac", "Armour class", armour_terms(who), group=BODY)
    yield summed("touch_ac", "Armour class against touch", armour_terms(who, touch=True), group=BODY)
    yield summed("flanked_ac", "Armour class when flanked", armour_terms(who, flanked=True), group=BODY)
    most = max_hp(who, settings)
    yield sheet_lines.hit_points(who, most, rules=("R4.7", "R4.7"), path="stat.max_hp", group=BODY)
    yield summed("max_hp", "Maximum hit points", max_hp_terms(who, settings), group=BODY)
    yield summed("initiative", "Initiative", initiative_terms(who), group=BODY, signed=True)
    pace, many = speed_terms(who), squares_per_move(who)
    feet = many * FEET if who.has(conditions.PRONE) else total(pace)
    shown = f"{feet} feet, {many} square{'' if many == 1 else 's'}"
    if feet != total(pace):
        pace = (*pace, Term(feet - total(pace), "prone", "R4.47", "condition.prone"))
    yield Value("speed", "Speed", feet, shown, pace, BODY)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    """Yield attacks and damage, first with the weapon at hand, then with every other weapon held."""
    first = at_hand(who)
    for number, weapon in enumerate((first, *(each for each in wielded(who) if each != first))):
        key = f":{weapon.item}" if number else ""
        melee = not weapon.kind.range
        name = weapon.item or weapon.kind.name
        terms = (*attack_terms(who, settings, melee=melee), *hand_terms(who, weapon, settings))
        yield summed(f"to_hit{key}", f"To hit: {name}", terms, group=ATTACKS, signed=True)
        added = damage_terms(who, weapon, settings)
        shown = f"{weapon.dice} {total(added):+d}" if total(added) else weapon.dice
        yield Value(f"damage{key}", f"Damage: {name}", total(added), shown, added, ATTACKS)
        if weapon.kind.thrown:
            thrown = (*attack_terms(who, settings, melee=False), *hand_terms(who, weapon, settings))
            thrown = (*thrown, Term(settings.thrown_bonus, "thrown", "R4.52", "settings"))
            yield summed(f"throw{key}", f"To hit, thrown: {name}", thrown, group=ATTACKS, signed=True)
    ranged = attack_terms(who, settings, melee=False)
    yield summed("ranged", "To hit at range", ranged, group=ATTACKS, signed=True)


def _words(who: Character, settings: Settings, campaign: CampaignState) -> Iterator[tuple[str, str]]:
    yield "Status", status(who)
    yield "Side", sides.side_of(who)
    if not is_nowhere(campaign, who):
        yield "Square", squares.text(who.position)
    yield "Class", class_name(who)
    yield "Weapons", "; ".join(_described(who, weapon) for weapon in weapons_of(who))
    worn = [each for each in (armour_of(who)[0], shield_of(who)[0]) if each]
    yield "Worn", ", ".join(worn)
    yield "Not of the class", ", ".join(unusual(who, settings))
    yield from sheet_lines.gear(who, except_for={*worn, *(weapon.item for weapon in weapons_of(who))})
    yield from sheet_lines.conditions(who)
    yield from sheet_lines.open_choices(who)


_PLACES = {"main": "in the main hand", "off": "in the other hand", "both": "in both hands", "sheath": "in the sheath"}


def _described(who: Character, weapon: Weapon) -> str:
    """A weapon, where it is, its dice and its critical hits (R4.49)."""
    row = weapon.kind
    lies = f" at {squares.text(weapon.square)}" if weapon.square is not None else ""
    place = _PLACES.get(weapon.place, f"on the ground{lies}")
    critical = f"{row.threat}-20" if row.threat < 20 else "20"
    empty = "" if can_shoot(who, weapon) or weapon.place == DOWN else ", nothing to shoot with"
    reach = f", {row.range} feet" if row.range else ""
    dice = weapon.dice if weapon.place in WIELDED else row.dice
    return f"{weapon.item} {place} ({dice}, {critical} x{row.times}{reach}{empty})"
