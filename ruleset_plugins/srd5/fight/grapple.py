"""Grappling and shoving, by save (2024) or contest (2014), escaping, letting go (R5.145–R5.149, R5.199–R5.202).

On record: the target is ``grappled`` with the grappler as source and ``escape`` as the DC; both cost an attack.
"""

from functools import partial

from rollbook.kit import conditions, d20, fields, require, squares, verbs
from rollbook.plugin import Action, Character, Condition, DiceStep, Table, Term, character, choice
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.fight import armour, durations, dying, movement, places, states, turns, weapons
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import checks, d20_tests, saves

PRONE, AWAY, CONTEST = "prone", "away", "contest"
DICE = (DiceStep(tests={"the save, or both checks of a contest": "* save|check"}),)


def dc_of(who: Character) -> int:
    """The DC of an unarmed strike's grapple and shove: 8, the ability of the strike and proficiency (R5.199, R5.401)."""
    ability = weapons.strike_with(who, weapons.BARE).ability
    return 8 + abilities.modifier(who, ability) + abilities.proficiency_bonus(who)


class Manoeuvre(d20_tests.TestAction, turns.PaidVerb):
    """A grapple or a shove, to be derived from."""

    typed_dice = DICE

    attacker: str = character("who tries it", actor=True)
    target: str = character("on whom")
    ability: str = choice("how the target resists, if not by the better", ("", "str", "dex"), default="", gm_only=False)

    check_available = verbs.available_if(turns.check_may_attack)

    def overcomes(self, table: Table) -> bool:
        """Pay an attack, and overcome the target (R5.199–R5.202). Refused for a target that is too large or too far."""
        target, attacker = require.living(table, self.target), turns.check_able(table, self.attacker)
        require.other_targets(table, attacker, target.id)
        if places.size_number(target) > places.size_number(attacker) + 1:
            table.refuse(f"{target.name} is {places.size_of(target)}, too large for {attacker.name}.", "target")
        places.check_beside(table, attacker, target, "target")
        self.check(table, attacker, target)
        turns.pay_attack(table, attacker, self.verb, self.cost, out_of_turn=self.out_of_turn)
        with d20_tests.TestRolls(table, self.spared) as rolls:
            if Settings.of(table).is_old:
                return self._contest(table, rolls, attacker, target)
            ability = self.ability or max(("str", "dex"), key=lambda each: _sum(abilities.save_terms(target, each)))
            dc, versus = dc_of(attacker), (self.verb,)
            return not saves.roll_save(table, rolls, target, ability, dc, against=attacker.id, versus=versus)

    def check(self, table: Table, attacker: Character, target: Character) -> None:
        """Refuse what this manoeuvre needs besides."""

    def _contest(self, table: Table, rolls: d20_tests.TestRolls, attacker: Character, target: Character) -> bool:
        """Athletics against the better of Athletics and Acrobatics; a tie changes nothing (2014). The incapacitated lose."""
        if states.is_unable(target):
            return True
        skill = {"str": "athletics", "dex": "acrobatics"}.get(self.ability, "") or _better(target)
        mine = checks.roll_only(table, rolls, attacker, "str", skill="athletics", said=self, against=target)
        ability = abilities.SKILLS[skill].ability
        yours = checks.roll_only(table, rolls, target, ability, skill=skill, against=attacker)
        wins = mine.total > yours.total
        d20.record_roll(table, "athletics contest", mine, yours.total, success=wins, against=target.id)
        return wins


def _sum(terms: tuple[Term, ...]) -> int:
    return sum(term.amount for term in terms)


def _better(who: Character) -> str:
    """The skill in which somebody is better at breaking free."""
    return max(("athletics", "acrobatics"), key=lambda each: _sum(abilities.skill_terms(who, each)))


class Grapple(Manoeuvre, verb="grapple"):
    """Take hold of somebody with a free hand, in place of an attack (R5.147, R5.199)."""

    def check(self, table: Table, attacker: Character, target: Character) -> None:
        """Refuse somebody without a free hand, and a target that is held already (R5.147)."""
        held = len(held_by(table, attacker.id)) + (armour.shield_of(attacker)[1] is not None)
        if held >= 2:
            table.refuse(f"{attacker.name} has no free hand.", "attacker")
        if any(each.id == target.id for each in held_by(table, attacker.id)):
            table.refuse(f"{attacker.name} holds {target.name} already.", "target")

    def resolve(self, table: Table) -> None:
        if self.overcomes(table):
            data = {durations.ESCAPE: dc_of(table.character(self.attacker)), CONTEST: Settings.of(table).is_old}
            states.begin(table, self.target, states.GRAPPLED, source=self.attacker, data=data)


class Shove(Manoeuvre, verb="shove"):
    """Push somebody 5 feet away or to the ground, in place of an attack (R5.200)."""

    how: str = choice("to the ground, or 5 feet away", (PRONE, AWAY), default=PRONE, gm_only=False)

    def resolve(self, table: Table) -> None:
        if not self.overcomes(table):
            return
        if self.how == PRONE:
            states.begin(table, self.target, states.PRONE, source=self.attacker)
        else:
            push(table, self.attacker, self.target, places.FEET)


def push(table: Table, from_: str, name: str, feet: int) -> None:
    """Push somebody straight away on the map; without squares it is said and no more. It ends a grapple out of reach."""
    one, other = table.character(from_), table.character(name)
    if places.distance(one, other):
        places.displace(table, name, squares.pushed(one.position, other.position, feet // places.FEET))


def held_by(table: Table, grappler: str) -> tuple[Character, ...]:
    """Those whom somebody holds."""
    return tuple(who for who in table.with_conditions() if holds(who, grappler))


def holds(who: Character, grappler: str) -> tuple[str, ...]:
    """The conditions by which a character is grappled by somebody."""
    return tuple(each.name for each in states.by(who, states.GRAPPLED, grappler))


def _hold_on(table: Table, name: str) -> Condition:
    """The condition that holds somebody, and can be escaped. Refused for who is not held."""
    who = table.character(name)
    held = next((each for row, each in states.states_of(who) if durations.ESCAPE in each.data), None)
    if held is None:
        table.refuse(f"{who.name} is not held by anything with an escape DC.", "who")
    return held


class Escape(d20_tests.TestAction, turns.OwnVerb, verb="escape"):
    """Get free from a grapple: an action, and Athletics or Acrobatics against the escape DC, or a contest (R5.148)."""

    sentence = "struggles free"
    typed_dice = DICE

    skill: str = choice("with what; left out, the better", ("", "athletics", "acrobatics"), default="", gm_only=False)

    check_available = verbs.available_if(_hold_on, partial(turns.take, cost=turns.ACTION, what="escape"))

    def resolve(self, table: Table) -> None:
        held = _hold_on(table, self.who)
        who = turns.take(table, self.who, turns.ACTION, out_of_turn=self.out_of_turn, what=self.verb)
        skill = self.skill or _better(who)
        dc, ability = conditions.number(held, durations.ESCAPE), abilities.SKILLS[skill].ability
        with d20_tests.TestRolls(table, self.spared) as rolls:
            if fields.flag(held.data, CONTEST) and table.knows(held.source):
                holder = table.character(held.source)
                dc = checks.roll_only(table, rolls, holder, "str", skill="athletics", against=who).total + 1
            escapes = checks.roll_check(table, rolls, who, ability, dc, skill=skill, said=self)
        if escapes:
            free(table, who.id, held.name)


class Release(Action, verb="release"):
    """Let go of somebody (R5.149)."""

    sentence = "lets go of {target}"

    who: str = character("who lets go", actor=True)
    target: str = character("of whom")

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        if not held_by(table, who):
            table.refuse(f"{table.character(who).name} holds nobody.", "who")

    def resolve(self, table: Table) -> None:
        who, target = table.character(self.who), table.character(self.target)
        held = holds(target, who.id)
        if not held:
            table.refuse(f"{who.name} does not hold {target.name}.", "target")
        free(table, target.id, *held)


def free(table: Table, name: str, *held: str) -> None:
    """End grapples of somebody, and what lasts only as long as they do."""
    conditions.end_for_all(table, (name,), *held)
    states.end_dependent(table, name)


def let_go(table: Table, name: str) -> None:
    """End the grapples of who is incapacitated or falls (R5.149)."""
    for who in held_by(table, name) if states.is_unable(table.character(name)) else ():
        free(table, who.id, *holds(who, name))


def check_distance(table: Table, name: str) -> None:
    """End grapples that somebody was moved out of, as far as squares say (R5.149)."""
    for each in states.by(table.character(name), states.GRAPPLED):
        apart = places.distance(table.character(each.source), table.character(name)) if table.knows(each.source) else 0
        if apart is not None and apart > places.FEET:
            free(table, name, each.name)


def _after_move(table: Table, name: str) -> None:
    for each in (*held_by(table, name), table.character(name)):
        check_distance(table, each.id)


dying.ON_FALLING.append(let_go)
states.ON_BEGIN.append(let_go)
movement.ON_MOVING.append(lambda table, who, *_: _after_move(table, who.id))
places.ON_PLACED.append(_after_move)
