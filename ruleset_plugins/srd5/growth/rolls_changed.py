"""Features that change d20 tests after they are rolled, by themselves or as second thoughts (R5.351, R5.393, R5.461, R5.465).

A second thought names the roll and who pays: ``attack ogre ! bardic``. Its die is spent whatever comes of it where the
text says so; where a failure would keep it (Tactical Mind, Peerless Skill), the GM gives it back with ``adjust`` (Q5.42).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rollbook.kit import conditions as kit
from rollbook.kit import d20, sides, squares
from rollbook.plugin import Character, SecondThought, Table, Term, slug
from rollbook.rulesets.srd5.catalogue.kinds import Bonus, Special
from rollbook.rulesets.srd5.character import abilities, classes, features, proficiencies
from rollbook.rulesets.srd5.fight import armour, conditions, damage, encounter, places, turns
from rollbook.rulesets.srd5.growth import amounts, uses
from rollbook.rulesets.srd5.tasks import d20_tests
from rollbook.rulesets.srd5.tasks.d20_tests import THOUGHTS, Test, TestRolls

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
    is_proficient = test.who.traits.get(test.skill) in (proficiencies.SKILL, proficiencies.EXPERTISE)
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
    own = (test.who,) if features.has(test.who, "Aura of Protection") and not conditions.is_unable(test.who) else ()
    counted = sum(abilities.modifier(each, "cha") for each in own)  # what the feature itself adds
    found = [max(abilities.modifier(other, "cha"), 1) for other in (*own, *guardians(table, test.who))]
    if found and max(found) != counted:
        yield Term(max(found) - counted, "Aura of Protection", "R5.430")


def guardians(table: Table, who: Character) -> Iterator[Character]:
    """The allies in whose aura somebody stands, as far as squares say it (R5.430)."""
    if not squares.was_placed(who):
        return
    for other in places.near(table, who, 30):
        if sides.are_allies(who, other) and not conditions.is_unable(other) and _reaches(other, who):
            yield other


def _reaches(paladin: Character, who: Character) -> bool:
    """True if somebody stands in a paladin's aura."""
    own = features.called(paladin, "Aura of Protection") if classes.level_in(paladin, "paladin") >= 6 else None
    apart = places.distance(who, paladin) if own is not None else None
    return own is not None and apart is not None and apart <= int(amounts.by_level(own, "aura", 10))


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


conditions.IMMUNITIES.append(shielded)
armour.COVERS.append(covered)


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
            result.total += amounts.number(who, own, str(effect.numbers.get("bonus", 0)))
        elif isinstance(effect, Bonus):
            dice, purpose = amounts.worked_out(who, own, effect.by), f"{result.purpose} rerolled with {own.name}"
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
    kit.end(table, who.id, BARDIC)
    result.total += table.roll(die, roller=who.id, purpose=f"{result.purpose} rerolled with inspiration").total


CALLED_SO = (
    *("Indomitable", "Tactical Mind", "Peerless Skill", "Cutting Words", "Countercharm"),
    *("Stroke of Luck", "Improve Fate", "Seeking Spell"),
)
GIVEN = {**{slug(name): name for name in CALLED_SO}, "own-luck": "Dark One's Own Luck", "disciplined": "Again"}
"""Second thoughts that are features, by kind: most are called like the feature."""

THOUGHTS.update(dict.fromkeys(GIVEN, of_feature), bardic=bardic)

SECOND_THOUGHTS = {kind: f"{name} changes a roll" for kind, name in {**GIVEN, "bardic": "a bard's die"}.items()}
