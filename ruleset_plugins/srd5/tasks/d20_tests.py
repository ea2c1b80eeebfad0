"""The d20 test: a roll, its modifiers, why it is easier or harder, and heroic inspiration (R5.4, R5.15–R5.19).

A ``Test`` says what is rolled. What a rule of its own brings to some kinds of test comes from a function registered with
``@reason`` (advantage and disadvantage) or ``@summand``: it gets the table and the test, and says its words. A roll has
advantage, disadvantage or neither; any number of both cancels (R5.16). Second thoughts are in ``THOUGHTS``. The pool
``inspiration`` holds one heroic inspiration at most, which the second thought of that name spends.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import attrs

from rollbook.kit import d20, require, verbs
from rollbook.kit.registries import SeveralEach
from rollbook.plugin import Action, Character, Record, SecondThought, Table, Term, character, choices, events, names
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue.kinds import Edge, State
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects.lasting import CHOSEN, OF, SLOT, Held, effects_on
from rollbook.rulesets.srd5.fight import places, states
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.rulesets.srd5.settings import Settings

ATTACK, CHECK, SAVE, INITIATIVE = "attack", "check", "save", "initiative"
DEATH_SAVE, CONCENTRATION = "death save", "concentration"
KINDS = ATTACK, CHECK, SAVE, INITIATIVE, DEATH_SAVE
"""The kinds of test; concentration is a save."""
MARK, THROWN = "spell:hunters-mark", "thrown"
ADVANTAGE, DISADVANTAGE = "advantage", "disadvantage"


@attrs.define
class Test(Record):
    """A d20 test: whose, of what ``kind``, with which ability and skill, ``against`` whom, about what (``versus``).

    Of an attack: ``form`` is melee or ranged, ``near`` within 5 feet, ``weapon`` one with a weapon or unarmed.
    ``sight`` says that the test needs to see or that its source is seen, ``spared`` are conditions that do not count.
    """

    who: Character
    kind: str
    ability: str = ""
    skill: str = ""
    against: Character | None = None
    versus: tuple[str, ...] = ()
    form: str = ""
    near: bool = True
    weapon: bool = False
    sight: bool = True
    spared: tuple[str, ...] = ()

    def is_named(self, on: str) -> bool:
        """True if words of the catalogue ("save dex", "check wis perception", "attack melee", "d20 test") mean this test."""
        kind, _, rest = on.partition(" ")
        if on == "d20 test":
            return True
        if rest == "ranged weapon" and THROWN in self.versus:
            return False
        if on in (DEATH_SAVE, CONCENTRATION, INITIATIVE):
            return self.kind == on or (on == CONCENTRATION and CONCENTRATION in self.versus)
        as_kind = {DEATH_SAVE: SAVE, INITIATIVE: CHECK}.get(self.kind, self.kind)
        return kind == as_kind and all(word in self._words for word in rest.replace(self.skill or "\0", "").split())

    @property
    def _words(self) -> tuple[str, ...]:
        return (self.ability, self.form, "weapon" if self.weapon else "spell", *self.skill.split(), *self.versus)


CHANGES: list[Callable[["TestRolls", Test, tuple[Term, ...], d20.RollResult], object]] = []
"""Changes of a roll that was made."""

reason = SeveralEach[Callable[[Table, Test], d20.Advantage]]()
"""Sources of advantage and disadvantage by the kinds of test for which they are registered (a decorator)."""
summand = SeveralEach[Callable[[Table, Test], Iterable[Term]]]()
"""Sources of flat modifiers, likewise."""

INSPIRATION = "inspiration"
THOUGHTS: dict[str, Callable[["TestRolls", SecondThought, d20.RollResult], None]] = {}
"""Second thoughts by kind: how each changes a roll; ``RULESET.second_thoughts`` says the same in words."""


class TestRolls(d20.Rolls):
    """The d20s of one action, and the second thoughts on them."""

    __test__ = False
    made: frozenset[int] = frozenset()
    """The rolls, by their numbers, that count as made whatever they show."""
    latest: Test | None = None
    """The test that is being rolled, for second thoughts that ask what it is about."""

    def __init__(self, table: Table, spared: tuple[str, ...] = ()) -> None:
        super().__init__(table, THOUGHTS)  # type: ignore[arg-type]  # they are bound to these rolls
        self.table, self.spared = table, spared
        if self._had:  # seldom, so the rules are bound to these rolls only then
            self._rules = {kind: partial(rule, self) for kind, rule in THOUGHTS.items()}

    def test(
        self, test: Test, terms: Iterable[Term], *, purpose: str, ease: d20.Advantage = d20.NO_ADVANTAGE
    ) -> d20.RollResult:
        """Roll a test, with all reasons, summands and dice that hold for it besides what is given."""
        if self.spared:
            test = attrs.evolve(test, spared=self.spared)
        ease = ease_of(self.table, test, ease)
        all_terms, added = [*terms, *summands(self.table, test)], dice_bonuses(test)
        net = d20.cancelling_advantage(ease)
        dice = " ".join((d20.advantage_dice(ease, net), *added))
        self.latest = test
        result = self.roll(test.who.id, dice, all_terms, purpose=purpose, net=net)
        for change in CHANGES:
            change(self, test, tuple(all_terms), result)
        return result


def ease_of(table: Table, test: Test, ease: d20.Advantage) -> d20.Advantage:
    """All advantage and disadvantage of a test, with what is given; none is had against the elusive (R5.464)."""
    for found in (conditions_of, lasting_edges, *reason[test.kind]):
        more = found(table, test)
        ease = ease if more is d20.NO_ADVANTAGE else ease + more
    foe = test.against if test.kind == ATTACK and ease.advantage else None
    if foe is not None and features.has(foe, "Elusive") and not states.is_unable(foe):
        return attrs.evolve(ease, advantage=())
    return ease


def summands(table: Table, test: Test) -> list[Term]:
    """The numbers that are added to a test besides its own."""
    return [
        *_exhaustion(table, test),
        *_flat(test),
        *(term for found in summand[test.kind] for term in found(table, test)),
    ]


def inspire(rolls: TestRolls, thought: SecondThought, result: d20.RollResult) -> None:
    """Spend heroic inspiration to roll one d20 again; the new roll counts (R5.17, R5.18)."""
    table, who = rolls.table, rolls.table.character(thought.character)
    if who.pools.get(INSPIRATION, 0) < 1:
        give = f"adjust {who.id} pool:{INSPIRATION} 1 WHY"
        table.refuse(f"{who.name} has no heroic inspiration. The GM gives it with: {give}")
    table.record(events.PoolSpent(holder=who.id, pool=INSPIRATION, amount=1, reason="rolls again"))
    again(rolls, result, "with inspiration")


def again(rolls: TestRolls, result: d20.RollResult, how: str, dice: str = "1d20") -> None:
    """Roll one of the d20s of a result again, and take the new face: of two, the one that counted (R5.17)."""
    die = rolls.again(result, f"{result.purpose} rerolled {how}", dice).natural
    result.total += die - result.natural
    result.natural = die


THOUGHTS[INSPIRATION] = inspire


class TestAction(verbs.RollAction):
    """A verb with a d20 test, to be derived from: circumstances and bonuses as they are typed."""

    __test__ = False

    bonus: tuple[str, ...] = names("further bonuses, as '+2 high ground'", default=(), gm_only=True)
    spared: tuple[str, ...] = choices(
        "conditions that do not count, as fear of what is out of sight", (*states.ROWS,), default=(), gm_only=True
    )


def conditions_of(table: Table, test: Test) -> d20.Advantage:
    """Conditions of who rolls (R5.111–R5.204)."""
    if not test.who.conditions:
        return d20.NO_ADVANTAGE
    settings, found = Settings.of(table), d20.NO_ADVANTAGE
    for row, condition in states.states_of(test.who):
        side, foe = _side_of(row, test), test.against
        free = row.key in test.spared or (row.in_sight and not test.sight)
        free = free or (row.not_against_source and foe is not None and foe.id == condition.source)
        if test.kind == ATTACK and foe is not None and is_seen_through(table, row, test.who, foe):
            continue
        if side and not free and not (settings.is_old and _FIELD.get(test.kind, "checks") in row.later):
            found += edge(side, row.key)
    if settings.is_old:
        found += _old_exhaustion(test)
    return found


def is_seen_through(table: Table, row: State, who: Character, other: Character) -> bool:
    """True if senses undo what a condition of sight makes of attacks: who is blinded sees, or is seen though invisible."""
    if row.key not in ("blinded", "invisible"):
        return False
    seer, seen = (who, other) if row.key == "blinded" else (other, who)
    return places.sees(table, seer, seen)


_FIELD = {ATTACK: "attacks", CHECK: "checks", INITIATIVE: INITIATIVE}


def _side_of(row: State, test: Test) -> str:
    if test.kind == ATTACK:
        return row.attacks
    if test.kind == SAVE:
        return DISADVANTAGE if test.ability in row.save_disadvantage else ""
    if test.kind == INITIATIVE:
        return row.initiative or row.checks
    return row.checks if test.kind == CHECK else ""


def _old_exhaustion(test: Test) -> d20.Advantage:
    """Exhaustion in the edition of 2014: checks from level 1, attacks and saves from level 3."""
    level = states.level_of_exhaustion(test.who)
    from_level = {CHECK: 1, INITIATIVE: 1, ATTACK: 3, SAVE: 3, DEATH_SAVE: 3}[test.kind]
    return edge(DISADVANTAGE, states.EXHAUSTION) if level >= from_level else d20.NO_ADVANTAGE


def edge(side: str, why: str) -> d20.Advantage:
    """Advantage or disadvantage for one reason."""
    return d20.Advantage((why,)) if side == ADVANTAGE else d20.Advantage(disadvantage=(why,))


def lasting_edges(table: Table, test: Test) -> d20.Advantage:
    """Advantage and disadvantage from spells and features, of who rolls and against the target."""
    found = d20.NO_ADVANTAGE
    for _, held in _edges(table, test):
        found += edge(held.effect.side, held.label)
    return found


def _edges(table: Table, test: Test, *, only_next: bool = False) -> Iterator[tuple[Character, Held]]:
    """The edges that hold for a test, each with whom it lies on; all, or those for the next roll only."""
    for against, who in ((False, test.who), (True, test.against)):
        for held in effects_on(who, "edge") if who is not None else ():
            is_meant = held.effect.against == against and (held.effect.next or not only_next)
            if who is not None and is_meant and _applies(table, held, held.effect, test):
                yield who, held


CASES: dict[str, Callable[[Table, Held, Test], bool]] = {"seen": lambda _, __, test: test.sight}
"""Cases in which an edge holds, by the words of its ``given``: an edge with other words is the GM's to say."""


def _applies(table: Table, held: Held, effect: Edge, test: Test) -> bool:
    if not any(test.is_named(on) for on in effect.on):
        return False
    holder = test.against if effect.against else test.who
    foe = test.who if effect.against else test.against
    if effect.kinds and (foe is None or kind_of(foe) not in effect.kinds):
        return False
    if states.INCAPACITATED in effect.unless and holder is not None and states.is_unable(holder):
        return False
    case = CASES.get(effect.given)
    if effect.given and (case is None or not case(table, held, test)):
        return False
    if effect.place and not places.is_lit(table, test.who, effect.place):
        return False
    if effect.chosen and chosen_for(held) not in (test.ability, test.skill):
        return False
    if any(places.sense(test.who, each) for each in effect.unless):
        return False
    return not effect.versus or _is_about(held, effect.versus, test)


def always_holds(held: Held, test: Test) -> bool:
    """True for an edge on a test of one's own that hangs on nothing else."""
    effect = held.effect
    hangs = (effect.against, effect.given, effect.versus, effect.next, effect.place, effect.chosen, effect.kinds)
    return not any(hangs) and any(test.is_named(on) for on in effect.on)


def chosen_for(held: Held) -> str:
    """The ability, skill or the like that was chosen for an effect, "" for none."""
    return str(held.condition.data.get(CHOSEN, "")) if held.condition is not None else ""


def _is_about(held: Held, versus: str, test: Test) -> bool:
    """True if a test is about what an edge names: its source, its target, magic, a condition."""
    against = test.against.id if test.against is not None else ""
    if versus == "source":
        return bool(against) and held.source == against
    if versus == "target":
        return bool(against) and held.condition is not None and held.condition.data.get("target") == against
    if versus == "marked":
        return test.against is not None and is_marked(test.against, test.who)
    words = versus.replace(" or ", ", ").split(", ")
    return any(word in test.versus for word in words)


def is_marked(who: Character, hunter: Character) -> bool:
    """True for whom a hunter has marked (R5.447, R5.450)."""
    return any(each.source == hunter.id and each.data.get(OF) == MARK for each in who.conditions.values())


def spend_next(table: Table, test: Test) -> None:
    """End edges that hold for the next roll only, on both sides of a roll that was made."""
    lies = test.who.conditions or (test.against is not None and test.against.conditions)
    for who, held in _edges(table, test, only_next=True) if lies else ():
        if held.condition is not None:
            table.record(events.ConditionEnded(character=who.id, condition=held.condition.name))


def _exhaustion(table: Table, test: Test) -> Iterator[Term]:
    """Exhaustion takes 2 a level from every d20 test (R5.135)."""
    level = states.level_of_exhaustion(test.who)
    if level and not Settings.of(table).is_old:
        yield Term(-2 * level, states.EXHAUSTION, "R5.135", "condition.exhaustion")


def _bonuses(test: Test) -> Iterator[tuple[str, str]]:
    for held in effects_on(test.who, "bonus"):
        effect = held.effect
        is_other = effect.chosen and chosen_for(held) not in ("", test.ability, test.skill)
        is_laid = held.condition is not None  # the bonus of a magic weapon is a part of that weapon
        is_other = is_other or effect.given or (effect.of and not (effect.of == "weapon" and test.weapon and is_laid))
        if not is_other and any(test.is_named(on) for on in effect.to):
            yield by_slot(held), held.label


def by_slot(held: Held) -> str:
    """Number that a bonus adds, which may grow with the level of the slot."""
    effect, data = held.effect, held.condition.data if held.condition is not None else {}
    above = data.get(SLOT, 0)
    spell = catalogue.spells().get(str(data.get(OF, "")).removeprefix("spell:")) if effect.at else None
    level = spell.level + above if spell is not None and isinstance(above, int) else 0
    return str(next((by for least, by in reversed(effect.at.items()) if level >= int(least)), effect.by))


def always_added(who: Character, kind: str, ability: str, *, skill: str = "") -> tuple[Term, ...]:
    """The numbers that effects add to all tests of a sort, as the sheet shows them; dice are not among them."""
    return tuple(_flat(Test(who=who, kind=kind, ability=ability, skill=skill)))


def _flat(test: Test) -> Iterator[Term]:
    """Numbers that effects add to a test."""
    for by, name in _bonuses(test):
        if "d" not in by and by.lstrip("-").isdecimal():
            yield Term(int(by), d20.label(name))


def dice_bonuses(test: Test) -> Iterator[str]:
    """Dice that effects add to a test, or take from it, each as ``"+ 1d4[Bless]"``."""
    for by, name in _bonuses(test):
        if "d" in by and by != "proficiency":
            sign = "-" if by.startswith("-") else "+"
            yield f"{sign} {by.lstrip('-')}[{d20.label(name)}]"


def give(table: Table, name: str) -> bool:
    """Give heroic inspiration to somebody who has none. Returns whether it was given."""
    if table.character(name).pools.get(INSPIRATION, 0) > 0:
        return False
    table.record(events.PoolGained(holder=name, pool=INSPIRATION, amount=1))
    return True


class Inspire(Action, verb="inspire", gm_only=True):
    """Give heroic inspiration, which rolls a d20 again; who has it already hands it on, or it is lost (R5.19)."""

    who: str = character("who is inspired")
    instead: str = character("who gets it if they have it already", default="")

    def resolve(self, table: Table) -> None:
        for name in filter(None, (self.who, self.instead)):
            if give(table, require.living(table, name).id):
                return
        who = table.character(self.who).name
        table.refuse(f"{who} has heroic inspiration already. Name somebody who gets it with --instead.", "who")
