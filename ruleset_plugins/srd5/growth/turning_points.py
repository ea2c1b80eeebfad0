"""Features that act by themselves or as second thoughts: at falls, turns and initiative, and on d20 tests that were rolled.

(R5.294, R5.343, R5.351, R5.393, R5.399, R5.411, R5.461, R5.465.) A second thought names the roll and who pays: ``attack ogre !
bardic``. Its die is spent whatever comes of it where the text says so; where a failure would keep it (Tactical Mind,
Peerless Skill), the GM gives it back with ``adjust`` (Q5.42).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rollbook.kit import conditions, counters, d20, sides, squares, turn_limits
from rollbook.plugin import Character, SecondThought, Table, Term, slug
from rollbook.rulesets.srd5.catalogue.kinds import Bonus, Save, Special
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.effects.carrying_out import dc_of
from rollbook.rulesets.srd5.fight import damage, dying, encounter, hit_points, movement, places, states, turns
from rollbook.rulesets.srd5.fight.armour import COVERS
from rollbook.rulesets.srd5.growth import uses, using
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves
from rollbook.rulesets.srd5.tasks.d20_tests import CASES, THOUGHTS, Test, TestRolls

ZERO, INITIATIVE, DISPLACED, SEEN_THROUGH = "zero hit points", "initiative", "displaced", "seen through"
TIMES = "relentless rage"
"""The pool that counts how often a rage has kept somebody up since a rest: each makes the save 5 harder."""


def stay_up(table: Table, name: str) -> None:
    """Drop to some hit points instead of 0, unless it is death (R5.294, R5.343)."""
    who = table.character(name)
    if who.has(states.DEAD) or not dying.is_down(who):
        return
    for own in tuple(features.owned(who)):
        if ZERO not in own.trait.when or not uses.holds(who, own):
            continue
        if own.trait.uses and uses.left(who, own) < 1:
            continue
        to = _kept(table, who, own)
        if to:
            hit_points.restore(table, name, to, source=own.name)
            conditions.end(table, name, states.PRONE)
            return


def bless(table: Table, name: str) -> None:
    """Temporary hit points for who brings an enemy down, or stands beside when somebody else does (R5.492)."""
    fallen = table.character(name)
    by = {each.source for each in fallen.conditions.values() if each.name in (states.DEAD, states.UNCONSCIOUS)}
    for who in tuple(table.characters()):
        own = features.called(who, "Dark One's Blessing") if sides.are_enemies(who, fallen) else None
        apart = places.distance(who, fallen) if own is not None else None
        if own is not None and (who.id in by or (apart is not None and apart <= int(own.trait.numbers["within"]))):
            amount = uses.number(who, own, "cha + level")
            hit_points.give_temporary(table, who.id, amount, reason=own.name)


dying.ON_FALLING.append(bless)


def _kept(table: Table, who: Character, own: features.Owned) -> int:
    """The hit points that a feature leaves, after its save if it asks for one."""
    effect = own.trait.effects[0]
    if own.trait.uses:
        uses.spend(table, who, own)
    if isinstance(effect, Save):
        with TestRolls.at(table) as made:
            dc = dc_of(using.cause_of(table, made, who, own), effect.dc)
            dc += int(own.trait.numbers["dc_more"]) * who.pools.get(TIMES, 0)
            counters.change(table, who.id, TIMES, 1, own.name)
            if not saves.roll_save(table, made, table.character(who.id), effect.ability, dc):
                return 0
        effect = effect.success[0]
    return uses.number(who, own, str(effect.numbers["to"])) if isinstance(effect, Special) else 0


dying.ON_FALLING.insert(0, stay_up)


def at_turn(moment: str, table: Table, made: TestRolls, name: str) -> None:
    """At the start or the end of a turn: inspiration, hit points while bloodied, a condition goes (R5.399, R5.400, R5.414)."""
    who = table.character(name)
    for own in features.at(who, moment):
        if own.trait.given != "bloodied" or hit_points.is_bloodied(who, Settings.of(table)):
            using.do_all(using.cause_of(table, made, who, own), (name,))


encounter.AT_START.append(partial(at_turn, "source's turn start"))
encounter.AT_END.append(partial(at_turn, "source's turn end"))


def rolled_initiative(table: Table, names: Sequence[str]) -> None:
    """With initiative, uses come back to those who have none or few left (R5.357, R5.383, R5.417)."""
    for name in names:
        who = table.character(name)
        for own in features.at(who, INITIATIVE):
            for effect in own.trait.effects if not own.trait.uses else ():
                if isinstance(effect, Special) and effect.name == "regain":
                    none_left = {"up_to": 0} if uses.asks_for_none(own) else {}
                    uses.give_back(table, who, own, {**effect.numbers, **none_left})


encounter.ON_INITIATIVE.append(rolled_initiative)


@damage.AFTERWARDS.append
def suffer(table: Table, name: str, through: int, source: str) -> None:
    """Do what damage brings about by magic items: an image is gone until one's turn begins, an axe goes mad (R5.280)."""
    who = table.character(name)
    if through and any(getattr(effect, "given", "") == DISPLACED for _, effect in features.known(who).standing):
        conditions.begin(
            table, name, SEEN_THROUGH, data=turn_limits.until_turn(table, name, turn_limits.START), again=True
        )
    for own in features.at(who, "damaged by others") if through and source not in ("", name) else ():
        with TestRolls.at(table) as rolls:
            using.do_all(using.cause_of(table, rolls, who, own), (name,))


def _is_displaced(table: Table, _: object, test: Test) -> bool:
    """True for a target whose image stands beside it, as long as it can move and is not hurt."""
    who = test.against
    return who is not None and not who.has(SEEN_THROUGH) and movement.speed(table, who) > 0


CASES[DISPLACED] = _is_displaced


def inspire_with(using_: using.Using) -> None:
    """Give another one a bardic die, which they use within an hour after a failed test (R5.351, R5.352)."""
    table, who, own = using_.table, using_.who, using_.own
    die = uses.worked_out(who, own, "bardic die")
    for name in using_.targets:
        if name == who.id:
            table.refuse("Bardic inspiration is for another one: name them.", "targets")
        if table.character(name).has(own.name.casefold()):
            table.refuse(f"{table.character(name).name} holds a die already.", "targets")
        until = table.clock + 3_600
        conditions.begin(table, name, own.name.casefold(), source=who.id, detail=die, until=until, data={"die": die})


using.INSTEAD["Bardic Inspiration"] = inspire_with


BARDIC, PROTECTING, NIMBUS = "bardic inspiration", "smite of protection", "holy nimbus"


def _become(result: d20.RollResult, face: int) -> None:
    result.total += face - result.natural
    result.natural = face


CHANGED = ("reroll", "at least", "at least the score", "death save as 20")


def change(rolls: TestRolls, test: Test, terms: tuple[Term, ...], result: d20.RollResult) -> None:  # noqa: ARG001 - as Change
    """Change a roll by what somebody has of all that changes rolls."""
    mine = features.known(test.who).specials
    for name in CHANGED if mine else ():
        for _, effect in mine.get(name, ()):
            _change(name, rolls, test, result, effect.numbers)


def _change(name: str, rolls: TestRolls, test: Test, result: d20.RollResult, numbers: Mapping[str, Any]) -> None:
    """A 1 is rolled again, low faces count as 10, a total as a score, high death saves as 20 (R5.292, R5.345, R5.400, R5.461)."""
    if name == "reroll" and numbers.get("natural") == result.natural == 1:
        d20_tests.again(rolls, result, "with luck")
    is_proficient = test.who.traits.get(test.skill) in (abilities.SKILL, abilities.EXPERTISE)
    meant = numbers.get("rolls", ())
    is_skilled = test.kind == d20_tests.CHECK and is_proficient and "check with proficiency" in meant
    if name == "at least" and (is_skilled or any(test.is_named(on) for on in meant)):
        _become(result, max(result.natural, int(numbers["natural"])))
    if name == "at least the score" and any(test.is_named(on) for on in numbers["rolls"]):
        result.total = max(result.total, abilities.score(test.who, str(numbers["ability"])))
    if name == "death save as 20" and test.kind == d20_tests.DEATH_SAVE and result.natural >= int(numbers["natural"]):
        _become(result, 20)


d20_tests.CHANGES.append(change)


@d20_tests.summand(d20_tests.SAVE)
def aura(table: Table, test: Test) -> Iterator[Term]:
    """Charisma of a paladin nearby on the saves of allies, the best of several (R5.430)."""
    own = (test.who,) if features.has(test.who, "Aura of Protection") and not states.is_unable(test.who) else ()
    counted = sum(abilities.modifier(each, "cha") for each in own)  # what the feature itself adds
    found = [max(abilities.modifier(other, "cha"), 1) for other in (*own, *guardians(table, test.who))]
    if found and max(found) != counted:
        yield Term(max(found) - counted, "Aura of Protection", "R5.430")


def guardians(table: Table, who: Character) -> Iterator[Character]:
    """The allies in whose aura somebody stands, as far as squares say it (R5.430)."""
    if not squares.was_placed(who):
        return
    for other in places.near(table, who, 30):
        if sides.are_allies(who, other) and not states.is_unable(other) and _reaches(other, who):
            yield other


def _reaches(paladin: Character, who: Character) -> bool:
    """True if somebody stands in a paladin's aura."""
    own = features.called(paladin, "Aura of Protection") if classes.level_in(paladin, "paladin") >= 6 else None
    apart = places.distance(who, paladin) if own is not None else None
    return own is not None and apart is not None and apart <= int(uses.by_level(own, "aura", 10))


def burn(table: Table, rolls: TestRolls, name: str) -> None:  # noqa: ARG001 - as TurnHook
    """Damage to foes whose turn starts in the light of a holy nimbus (R5.439)."""
    who = table.character(name)
    for other in places.near(table, who, 30) if squares.was_placed(who) else ():
        if other.has(NIMBUS) and sides.are_enemies(who, other) and _reaches(other, who):
            amount = abilities.modifier(other, "cha") + abilities.proficiency_bonus(other)
            damage.deal(table, name, ((amount, "radiant"),), source=other.id)


encounter.AT_START.append(burn)


def shielded(table: Table, who: Character, condition: str) -> bool:
    """True if an aura keeps a condition from somebody (R5.432, R5.437)."""
    name = {"frightened": "Aura of Courage", "charmed": "Aura of Devotion"}.get(condition, "")
    return bool(name) and any(features.has(other, name) for other in guardians(table, who))


def covered(table: Table, who: Character) -> str:
    """Half cover in the aura of who has smitten (R5.438)."""
    return "half" if who.has(PROTECTING) or any(each.has(PROTECTING) for each in guardians(table, who)) else ""


states.IMMUNITIES.append(shielded)
COVERS.append(covered)


def of_feature(rolls: TestRolls, thought: SecondThought, result: d20.RollResult) -> None:
    """Think again by a feature: its price, then a die or another roll."""
    table, name = rolls.table, GIVEN[thought.kind]
    who = table.character(thought.character)
    own = features.called(who, name)
    if own is None or own.name != name:
        table.refuse(f"{who.name} does not have {name}.")
    versus = own.trait.numbers.get("versus", ())
    if versus and rolls.latest is not None and not set(versus) & set(rolls.latest.versus):
        table.refuse(f"{name} is for saves against these: {', '.join(versus)}.")
    if own.trait.action == turns.REACTION:
        turns.take(table, who.id, turns.REACTION)
    uses.pay_for(table, who, own)
    _think(rolls, who, own, result)


def _think(rolls: TestRolls, who: Character, own: features.Owned, result: d20.RollResult) -> None:
    """Change a roll as a feature does: to a face, by another roll, by dice that are added or taken off."""
    for effect in own.trait.effects:
        if isinstance(effect, Special) and effect.name == "becomes":
            _become(result, int(effect.numbers["natural"]))
        elif isinstance(effect, Special):
            edge = effect.numbers.get("edge") == d20_tests.ADVANTAGE
            d20_tests.again(rolls, result, f"with {own.name}", "2d20kh1" if edge else "1d20")
            result.total += uses.number(who, own, str(effect.numbers.get("bonus", 0)))
        elif isinstance(effect, Bonus):
            dice, purpose = uses.worked_out(who, own, effect.by), f"{result.purpose} rerolled with {own.name}"
            rolled = rolls.table.roll(dice, roller=who.id, purpose=purpose).total
            result.total += -rolled if effect.sign == "minus" else rolled


def bardic(rolls: TestRolls, thought: SecondThought, result: d20.RollResult) -> None:
    """Use up the die that a bard has given: it is added to a failed test (R5.351)."""
    table = rolls.table
    who = table.character(thought.character)
    held = who.conditions.get(BARDIC)
    if held is None:
        table.refuse(f"{who.name} holds no bardic inspiration.")
    die = str(held.data.get("die", "1d6"))
    conditions.end(table, who.id, BARDIC)
    result.total += table.roll(die, roller=who.id, purpose=f"{result.purpose} rerolled with inspiration").total


CALLED_SO = (
    *("Indomitable", "Tactical Mind", "Peerless Skill", "Cutting Words", "Countercharm"),
    *("Stroke of Luck", "Improve Fate", "Seeking Spell"),
)
GIVEN = {**{slug(name): name for name in CALLED_SO}, "own-luck": "Dark One's Own Luck", "disciplined": "Again"}
"""Second thoughts that are features, by kind: most are called like the feature."""

THOUGHTS.update(dict.fromkeys(GIVEN, of_feature), bardic=bardic)

SECOND_THOUGHTS = {kind: f"{name} changes a roll" for kind, name in {**GIVEN, "bardic": "a bard's die"}.items()}
