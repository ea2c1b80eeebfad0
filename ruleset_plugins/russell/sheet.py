"""The sheet: every number of a character with its terms, and lines in words."""

from collections.abc import Iterator

from rollbook.kit import ability_scores, conditions, counters, sheet_lines, stat_entry
from rollbook.plugin import CampaignState, Character, CharacterKind, OpenChoice, Sheet, Term, Value, counted, summed
from rollbook.rulesets.russell import gear
from rollbook.rulesets.russell.character import attributes, experience, skills, stat_line, templates
from rollbook.rulesets.russell.delve import encumbrance, light, light_sources, usage_dice
from rollbook.rulesets.russell.delve.exploration import ONGOING
from rollbook.rulesets.russell.delve.fire import ON_FIRE
from rollbook.rulesets.russell.delve.meeting import EMPLOYER, REACTION
from rollbook.rulesets.russell.fight import arms, encounter, hit_points, mind, wounds
from rollbook.rulesets.russell.settings import Settings, house
from rollbook.rulesets.russell.wealth import hirelings, treasure


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = house(campaign)
    return sheet_lines.sheet(who, _title(who), values(who, settings), words(who, settings))


def _title(who: Character) -> str:
    primary = templates.primary_class(who)
    if stat_line.has_profile(who):
        return f"{who.kind}, HD {stat_line.hit_dice_printed(who)}"
    level = f"level {who.level}" if who.level else str(who.kind)
    name = templates.CLASSES[primary].name if primary in templates.CLASSES else primary.capitalize()
    return f"{name}, {level}" if name else level


def values(who: Character, settings: Settings) -> Iterator[Value]:
    """The numbers of a sheet."""
    for attribute in attributes.ATTRIBUTES:
        amount, modifier = attributes.score(who, attribute), attributes.bonus(who, attribute)
        yield ability_scores.score_value(attribute, amount, modifier, "R3.1", group="Attributes")
    yield from _body(who)
    yield from _fighting(who, settings)
    yield from _skills(who)
    yield from _movement(who, settings)
    yield from _load(who, settings)
    if who.kind is CharacterKind.PLAYER_CHARACTER:
        yield summed("most_hirelings", "Most hirelings", hirelings.most_terms(who), group="People")
    yield from _wealth(who, settings)
    yield from _progress(who)


def _entered(who: Character, stat: str) -> tuple[Term, ...]:
    return stat_entry.terms(who, stat, rule="R3.96")


def _body(who: Character) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(arms.armour_terms(who)), group="Body")
    most = summed("max_hp", "Maximum hit points", tuple(hit_points.max_hp_terms(who)), group="Body")
    yield sheet_lines.hit_points(who, most.amount, rules=("R3.12", "R3.14"), group="Body")
    yield most
    entered, effects = _entered(who, stat_line.SAVE), templates.effect_terms(who, "save")
    if entered:
        yield summed("save", "Save", (*entered, *effects), group="Body")
    elif effects:
        yield summed("save_bonus", "To every save", effects, group="Body", signed=True)
    for attribute, stat in stat_line.SAVE_OF.items():
        if stat in who.stats and attribute not in who.stats:
            yield summed(stat, f"Save, {attribute.upper()}", (*_entered(who, stat), *effects), group="Body")
    for kind in mind.KINDS:
        if mind.stat(kind) in who.stats:
            yield _of_the_mind(who, kind)


def _of_the_mind(who: Character, kind: str) -> Value:
    """Mental or spiritual hit points: those left, and the maximum (R3.7)."""
    most, gone = mind.most(who, kind), mind.lost(who, kind)
    spent = (Term(-gone, "lost", "R3.7", f"pool.{counters.counter(mind.LOST, kind)}"),) if gone else ()
    terms = (*mind.most_terms(who, kind), *spent)
    return Value(
        mind.stat(kind), f"{kind.capitalize()} hit points", most - gone, f"{most - gone} of {most}", terms, "Body"
    )


def _fighting(who: Character, settings: Settings) -> Iterator[Value]:
    group = "Fighting"
    yield summed("initiative", "Initiative", tuple(encounter.initiative_terms(who)), group=group, signed=True)
    yield summed("weapon_skill", "Weapon Skill", tuple(arms.weapon_skill_terms(who, settings)), group=group)
    yield summed("shooting_skill", "Shooting Skill", tuple(arms.shooting_skill_terms(who)), group=group)
    if stat_line.attacks(who) > 1:
        yield summed("attacks", "Attacks in a Round", _entered(who, stat_line.ATTACKS), group=group)
    for suffix, name, weapon in sheet_lines.unnamed_then_named(arms.weapons_of(who)):
        hit = tuple(arms.to_hit_terms(who, weapon, settings))
        yield summed(f"to_hit{suffix}", f"To hit{name}", hit, group=group, signed=True)
        harm = tuple(arms.damage_terms(who, weapon))
        total = sum(term.amount for term in harm)
        shown = f"{weapon.dice} {'+' if total > 0 else '-'} {abs(total)}" if total else weapon.dice
        yield Value(f"damage{suffix}", f"Damage{name}", total, shown, harm, group)
        if weapon.is_thrown:
            thrown = tuple(arms.to_hit_terms(who, weapon, settings, band=1))
            yield summed(f"thrown{suffix}", f"Thrown to hit{name}", thrown, group=group, signed=True)


def _skills(who: Character) -> Iterator[Value]:
    if stat_line.has_profile(who):
        return
    yield summed("skill_slots", "Skill slots", skills.slot_terms(who), group="Skills")
    for name in who.traits_of(skills.SKILL):
        term, made = skills.rank_term(who, name), skills.marks(who, name)
        shown = f"{term.amount} ({counted(made, 'mark')})" if made else str(term.amount)
        yield Value(f"skill:{name}", name, term.amount, shown, (term,), "Skills")


def _movement(who: Character, settings: Settings) -> Iterator[Value]:
    terms = encumbrance.movement_terms(who, settings)
    yield summed(encumbrance.MOVEMENT, "Movement", terms, group="Movement")
    in_a_turn, in_a_round = encumbrance.FEET_IN_A_TURN, encumbrance.FEET_IN_A_ROUND
    for key, label, feet in (("turn_feet", "Feet in a Turn", in_a_turn), ("speed", "Speed", in_a_round)):
        walked = (Term(term.amount * feet, f"{term.label} x {feet}", term.rule, term.path) for term in terms)
        yield summed(key, label, tuple(walked), group="Movement")


def _load(who: Character, settings: Settings) -> Iterator[Value]:
    """Slots in use, slots without Overload, the most that can be carried, Tired pips, and usage dice."""
    slots = encumbrance.slots(who)
    strength = Term(slots, "STR", "R3.34", "stat.str")
    half = Term(settings.half(slots), "half of STR", "Q3.32", "stat.str")
    pips = Term(encumbrance.pips(who), "Tired pips", "R3.37", f"pool.{encumbrance.TIRED}")
    yield summed("slots_used", "Slots used", encumbrance.slot_terms(who), group="Load")
    yield summed("slots", "Gear slots", (strength,), group="Load")
    yield summed("slots_most", "Most slots", (strength, half), group="Load")
    yield summed("tired", "Tired", (pips,), group="Load")
    for item in usage_dice.supplies(who):
        die = usage_dice.sides(who, item)
        terms = usage_dice.usage_terms(who, item)
        yield Value(f"usage:{item}", f"Usage die: {item}", die, f"d{die}" if die else "out", terms, "Load")


def _wealth(who: Character, settings: Settings) -> Iterator[Value]:
    held = {
        item: things
        for item, things in who.gear.items()
        if things.count > 0 and treasure.is_treasure(item, things.use, settings)
    }
    for coin in treasure.COINS:
        coins = (item for item, things in held.items() if gear.thing(item, things.use).row.key == coin)
        terms = tuple(Term(held[item].count, item, "R3.101", f"gear.{item}") for item in coins)
        if terms:
            yield summed(coin, coin.capitalize(), terms, group="Wealth")
    worths = ((item, things.count * treasure.worth(item, things.use, settings)) for item, things in held.items())
    if held:
        terms = tuple(Term(copper, item, "Q3.1", f"gear.{item}") for item, copper in worths)
        yield summed("worth", "Worth in copper", terms, group="Wealth")


def _progress(who: Character) -> Iterator[Value]:
    if stat_line.has_profile(who):
        yield summed("hit_dice", "Hit dice", _entered(who, stat_line.HIT_DICE), group="Progress")
        return
    yield sheet_lines.level(who, rule="R3.49", group="Progress")
    yield sheet_lines.experience(who, rule="R3.45", group="Progress")
    threshold = experience.experience_for(who.level + 1)
    next_ = (Term(threshold, f"level {who.level + 1}", "R3.47", "level"),)
    yield Value("next_level", "Next level at", threshold, f"{threshold:,}", next_, "Progress")
    cap = (Term(skills.highest_rank(who.level), f"level {who.level}", "R3.26", "level"),)
    yield Value("highest_rank", "Highest rank of a skill", cap[0].amount, terms=cap, group="Progress")


def words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    """The lines of a sheet that are not numbers."""
    yield "Status", "; ".join(_status(who))
    if stat_line.has_profile(who):
        yield "Profile", stat_line.printed(who)
    for _, ability in templates.abilities(who):
        yield ability.name, ability.words
    is_due = who.experience != 0 and experience.level_for(who.experience) > who.level
    if is_due and not stat_line.has_profile(who):
        yield "Level due", f"level {who.level + 1}, after a week of downtime (R3.48)"
    yield from _journey(who, settings)
    yield from _people(who)
    if who.has(ON_FIRE):
        yield "Burns", "1d6 at the end of every Round, until a 1 or somebody puts it out (R3.70)"
    yield from sheet_lines.conditions(who)
    yield from sheet_lines.gear(who)
    yield "Open choices", "; ".join(f"{name}: {_options(choice)}" for name, choice in who.choices.items())


def _status(who: Character) -> Iterator[str]:
    most = hit_points.max_hp(who)
    if who.has(conditions.DEAD):
        yield "dead"
        return
    yield "unhurt" if who.lost <= 0 else "at 0 hit points: the next hit wounds" if who.lost >= most else "hurt"
    if who.has(wounds.WOUNDED):
        yield f"wounded ({who.conditions[wounds.WOUNDED].detail}): a second Wound kills"


def _journey(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    used, slots, most = encumbrance.used(who), encumbrance.slots(who), encumbrance.most(who, settings)
    if encumbrance.is_overloaded(who):
        beyond = f", more than the {most} that can be carried" if used > most else ""
        yield "Load", f"Overloaded: {used} of {slots} slots in use{beyond} (R3.34, R3.36)"
    if who.has(encumbrance.WEARIED):
        yield "Weariness", "Wearied: Disadvantage on every test, Movement halved (R3.38)"
    if who.has(light.DARK) and light.sees_in_dark(who):
        yield "Stands in", "the dark, and sees in it"
    elif (who.has(light.DARK) or who.has(light.DIM)) and not light.is_hindered(who, settings):
        yield "Stands in", f"{'the dark' if who.has(light.DARK) else 'dim light'}, which hinders the party alone"
    elif who.has(light.DARK):
        yield "Stands in", "the dark: no skills, Double Disadvantage on every other test (R3.62)"
    elif who.has(light.DIM):
        spared = "no penalty" if light.sees_in_dim(who) else "Disadvantage on attacks and skills"
        yield "Stands in", f"dim light: {spared}, Advantage on stealth (R3.65)"
    yield "Light", "; ".join(_lights(who))
    ongoing = counters.counted(who.pools, ONGOING)
    yield "Ongoing", "; ".join(f"{name}, {counted(many, 'level')}" for name, many in ongoing)


def _lights(who: Character) -> Iterator[str]:
    alight = {burning.item for burning in light_sources.burning(who)}
    for item, held in who.gear.items():
        source = light_sources.source_of(who, item)
        if source is None:
            continue
        shown = [f"{held.count} {item}"]
        if source.pips:
            left = max(source.pips * held.count - light_sources.pips_burnt(who, item), 0)
            shown.append(f"{counted(left, 'pip')} of oil")
        if item in alight:
            shown.append("burning")
        if item in alight and source.feet:
            shown.append(f"seen {source.feet} feet")
        yield ", ".join(shown) + (f" ({source.note})" if source.note else "")


def _people(who: Character) -> Iterator[tuple[str, str]]:
    """A character's hirelings, or a hireling's employer and character; and the reactions of strangers to a meeting."""
    yield "Hirelings", ", ".join(who.traits_of(hirelings.HIRELING))
    for kind in (EMPLOYER, *hirelings.OF_A_PERSON) if who.kind is CharacterKind.HIRELING else ():
        yield kind.capitalize(), ", ".join(who.traits_of(kind))
    yield "Reaction", "".join(who.traits_of(REACTION)[-1:])


def _options(choice: OpenChoice) -> str:
    return ", ".join(sheet_lines.with_detail(option.key, option.label) for option in choice.options)
