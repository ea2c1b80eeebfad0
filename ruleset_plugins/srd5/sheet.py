"""The sheet: every number with its terms."""

from collections.abc import Iterator

from rollbook.kit import ability_scores, counters, data, sheet_lines, sides
from rollbook.plugin import ABILITIES, CampaignState, Character, Sheet, Term, Value, slug, summed
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight import armour, encounter, hit_points, movement, places, weapons
from rollbook.rulesets.srd5.growth import levels, purse, rests, uses
from rollbook.rulesets.srd5.magic import concentration, spells
from rollbook.rulesets.srd5.magic.spells import Source
from rollbook.rulesets.srd5.monsters import actions
from rollbook.rulesets.srd5.monsters import uses as uses_of_blocks
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import checks, d20_tests

BODY, ABILITY, SAVES, SKILLS = "Body", "Abilities", "Saves", "Skills"
ATTACKS, PROGRESS, MAGIC, USES = "Attacks", "Progress", "Magic", "Uses"


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    values = tuple(_values(who, campaign))
    groups = list(dict.fromkeys(value.group for value in values))
    grouped = sorted(values, key=lambda value: groups.index(value.group))
    return sheet_lines.sheet(who, title(who), grouped, _words(who, campaign))


def title(who: Character) -> str:
    """The classes with their levels, the stat block, or the kind of character."""
    said = ", ".join(f"{row.name} {level}" for row, level in classes.classes_of(who))
    block = block_of(who)
    return said or (block.name if block is not None else str(who.kind))


def _values(who: Character, campaign: CampaignState) -> Iterator[Value]:
    settings = Settings.of(campaign)
    yield from _body(who, settings)
    for ability in ABILITIES:
        number, modifier = abilities.score(who, ability), abilities.modifier(who, ability)
        yield ability_scores.score_value(ability, number, modifier, "R5.1", group=ABILITY)
    for ability in ABILITIES:
        label = f"{ability_scores.NAMES[ability]} save"
        terms = (*abilities.save_terms(who, ability), *d20_tests.always_added(who, d20_tests.SAVE, ability))
        yield summed(f"save:{ability}", label, terms, group=SAVES, signed=True)
    for key in abilities.SKILLS:
        added = d20_tests.always_added(who, d20_tests.CHECK, abilities.SKILLS[key].ability, skill=key)
        terms = (*abilities.skill_terms(who, key), *added)
        yield summed(abilities.stat_of(key), key.capitalize(), terms, group=SKILLS, signed=True)
    yield summed("passive_perception", "Passive Perception", checks.passive(who), group=SKILLS)
    yield from _attacks(who)
    if who.level or block_of(who) is None:
        yield sheet_lines.level(who, rule="R5.226", group=PROGRESS)
    term = Term(abilities.proficiency_bonus(who), "level", "R5.20", "level")
    yield summed("proficiency", "Proficiency bonus", (term,), group=PROGRESS, signed=True)
    if who.experience:
        yield sheet_lines.experience(who, rule="R5.220", group=PROGRESS)
    yield summed("carrying", "Carrying capacity", places.carrying_terms(who), group=BODY)
    yield from _load(who)
    yield from _grown(who)


def _body(who: Character, settings: Settings) -> Iterator[Value]:
    most = hit_points.max_hp(who, settings)
    yield summed("ac", "Armour class", armour.armour_terms(who), group=BODY)
    yield sheet_lines.hit_points(who, most, rules=("R5.76", "R5.76"), path="stat.max_hp", group=BODY)
    yield summed("max_hp", "Maximum hit points", tuple(hit_points.max_hp_terms(who, settings)), group=BODY)
    held = hit_points.temporary(who)
    if held:
        term = Term(held, "temporary", "R5.101", f"pool.{hit_points.TEMPORARY}")
        yield Value("temporary", "Temporary hit points", held, terms=(term,), group=BODY)
    added = d20_tests.always_added(who, d20_tests.INITIATIVE, "dex")
    yield summed("initiative", "Initiative", (*encounter.initiative_terms(who), *added), group=BODY, signed=True)
    terms = tuple(movement.speed_terms(who, settings))
    feet = max(sum(term.amount for term in terms), 0)
    yield Value("speed", "Speed", feet, f"{feet} feet", sheet_lines.at_least(terms, 0, "R5.52"), BODY)


def _attacks(who: Character) -> Iterator[Value]:
    """Yield attacks: those of the stat block, each weapon, bare hands."""
    block = block_of(who)
    for feature in actions.attacks_of(block) if block is not None else ():
        strike = actions.strike_of(who, feature.name)
        if strike is not None:
            damage = (each for each in strike.hit if isinstance(each, catalogue.kinds.Damage))
            said = " and ".join(f"{each.dice} {', '.join(each.types)}" for each in damage)
            yield from _attack(feature.name, strike.terms, said or "none")
    for weapon in (*weapons.weapons_of(who), weapons.BARE) if block is None else ():
        strike = weapons.strike_with(who, weapon)
        part, added = strike.parts[0], sum(term.amount for term in strike.parts[0].terms)
        shown = f"{part.dice} {added:+d} {part.type}" if added else f"{part.dice} {part.type}"
        yield from _attack(weapon.item, strike.terms, shown, added, part.terms)


def _attack(
    name: str, terms: tuple[Term, ...], shown: str, added: int = 0, parts: tuple[Term, ...] = ()
) -> Iterator[Value]:
    yield summed(f"to_hit:{name}", f"To hit: {name}", terms, group=ATTACKS, signed=True)
    yield Value(f"damage:{name}", f"Damage: {name}", added, shown, parts, ATTACKS)


def _words(who: Character, campaign: CampaignState) -> Iterator[tuple[str, str]]:
    yield "Status", hit_points.status(who, campaign)
    yield "Side", sides.side_of(who)
    yield "Size", places.size_of(who)
    for key in who.traits_of("species"):
        if key in catalogue.species():
            yield "Species", catalogue.species()[key].name
    yield "Features", ", ".join(classes.features_of(who))
    block = block_of(who)
    if block is None:
        senses = {held.effect.sense: held.effect.feet for held in effects_on(who, "sense")}
        yield "Senses", ", ".join(f"{sense} {feet} ft" for sense, feet in senses.items())
    if block is not None:
        yield "Traits", ", ".join(each.name for each in block.traits)
        yield "Actions", ", ".join(each.name for each in (*block.actions, *block.bonus_actions, *block.reactions))
    yield from _made(who)
    yield from uses_of_blocks.words(who)
    yield "Coins", purse.COINS.line(who)
    yield from sheet_lines.gear(who)
    yield from sheet_lines.conditions(who)
    yield from sheet_lines.open_choices(who)


def _load(who: Character) -> Iterator[Value]:
    """Yield what the things that somebody carries weigh, in pounds (R5.116)."""
    rows, terms = catalogue.equipment(), []
    for item, held in who.gear.items():
        key = next((word for word in (*held.use, slug(item)) if word in rows), "")
        if key and held.count > 0:
            pounds = round(rows[key].weight * held.count / rows[key].amount)
            terms.append(Term(pounds, item, "R5.116", f"gear.{item}"))
    if terms:
        yield summed("weight", "Weight carried", tuple(terms), group=BODY)


def _grown(who: Character) -> Iterator[Value]:
    """The experience of the next level, what a rest gives back, and the numbers of who casts."""
    following = levels.next_level(who) if any(classes.classes_of(who)) else None
    if following is not None:
        yield Value("next_level", "Next level at", following, f"{following:,}", group=PROGRESS)
    for key, label, most, pool, rule, group in _counted(who):
        spent = who.pools.get(pool, 0)
        terms = (Term(most, "all", rule, "level"), *((Term(-spent, "spent", rule, f"pool.{pool}"),) if spent else ()))
        yield Value(key, label, most - spent, f"{most - spent} of {most}", terms, group)
    casting = spells.spellcasting_of(who)
    if casting is not None or any(row.casting for row, _ in classes.classes_of(who)):
        ability = casting.ability if casting is not None else spells.usual_ability(who)
        source = Source(ability=ability, dc=casting.dc if casting else 0, attack=casting.attack if casting else 0)
        terms = (abilities.modifier_term(who, ability), abilities.proficiency_term(who))
        base = Term(spells.BASE_DC, "base", "R5.218")
        yield _of_block(spells.DC, "Spell save DC", spells.save_dc(who, source), (base, *terms), "d")
        yield _of_block(spells.ATTACK, "Spell attack", spells.attack_bonus(who, source), terms, "+d")


def _counted(who: Character) -> Iterator[tuple[str, str, int, str, str, str]]:
    """Things that are counted as they are spent: key, label, all of it, its pool, rule and group."""
    for faces, left in rests.hit_dice(who).items():
        pool = counters.counter(rests.HIT_DICE, f"d{faces}")
        most = left + counters.count(who.pools, rests.HIT_DICE, f"d{faces}")
        yield f"hit_dice_d{faces}", f"Hit dice d{faces}", most, pool, "R5.227", BODY
    for place in (each for each in spells.LEVELS if spells.number_of(who, each)):
        pool = counters.counter(spells.SPENT, str(place))
        yield f"slots_{place}", f"Slots of level {place}", spells.number_of(who, place), pool, "R5.229", MAGIC
    pact = spells.pact_of(who)
    if pact is not None:
        label = f"Pact slots of level {pact.level}"
        yield "pact_slots", label, spells.pact_number(who), spells.PACT, "R5.487", MAGIC
    for own in uses.counted(who):
        yield f"uses:{own.name.casefold()}", own.name, uses.most(who, own), uses.pool(own), "R5.206", USES


def _of_block(key: str, label: str, number: int, terms: tuple[Term, ...], form: str) -> Value:
    """A number of who casts, with its terms unless a stat block prints another one."""
    summed = number == sum(term.amount for term in terms)
    shown = terms if summed else (Term(number, "stat block", "R5.308"),)
    return Value(key, label, number, format(number, form), shown, MAGIC)


KINDS = data.by_key(__package__, "kinds.json", catalogue.kinds.TraitKind)


def _made(who: Character) -> Iterator[tuple[str, str]]:
    """The choices that were made, the spell that is held, and which features are words for the table."""
    for row in KINDS.values():
        has = (_name(key) for key, own in who.traits.items() if row.label and _is_of(row.key, key, own))
        yield row.label, ", ".join(has)
    held = who.conditions.get(concentration.CONCENTRATING)
    yield "Concentrates on", held.detail if held is not None else ""
    told = (own for own in features.owned(who) if own.trait.words and not own.trait.effects)
    yield "For the table", " ".join(f"{own.name}: {own.trait.words}" for own in told)


def _is_of(kind: str, key: str, own: str) -> bool:
    """True for a trait of a kind; a spell's may say from where it is, as "wizard prepared"."""
    return own == kind or (key in catalogue.spells() and own.endswith(kind))


def _name(key: str) -> str:
    rows = (catalogue.feats(), catalogue.spells(), catalogue.equipment())
    key = key.removeprefix(spells.in_book(""))
    return next((each[key].name for each in rows if key in each), key)
