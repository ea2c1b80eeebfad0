"""Other ways to spend a Round than attacking: stunts, bracing, defending, getting up (R3.82, R3.86, R3.88, R3.89).

To charge and to press are ways to attack (R3.85, R3.87): see ``attack``.
"""

from functools import partial

from rollbook.kit import conditions, d20, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, param
from rollbook.rulesets.russell.character.attributes import ATTRIBUTES, attribute_term
from rollbook.rulesets.russell.fight import arms, criticals, movement, rolls, turns, wounds
from rollbook.rulesets.russell.settings import house

STUNT_GOAL = 7
"""The total that the d6 of a stunt must reach (R3.82)."""


class Stunt(verbs.RollAction, verb="stunt"):
    """Try a stunt: an attack roll without the foe's armour class, then 1d6 + a modifier of 7 or more (R3.82)."""

    sentence = "tries {what} against {target}|tries a stunt against {target}"
    typed_dice = (DiceStep(tests={"the d20 of the attempt": "stunt", "the d6 of its success": "stunt, second step"}),)

    who: str = param.character("who tries", actor=True)
    target: str = param.character("the foe")
    attribute: str = param.choice("whose modifier is added to the d6", ATTRIBUTES, default="dex", gm_only=False)
    what: str = param.words("what is tried, and what it risks", default="", gm_only=False)
    effect: str = param.choice(
        "what success does to the foe, if it is one of these",
        ("", criticals.TRIP, criticals.DISARM),
        default="",
        gm_only=False,
    )
    bonus: tuple[str, ...] = param.names("further bonuses to the first roll, as '+1 rope'", default=(), gm_only=True)
    from_afar: bool = param.flag("the GM rules that it works from a distance", gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(turns.take_action)

    def resolve(self, table: Table) -> None:
        """A failed attack roll gives the foe a free attack; a failed d6 costs nothing more (Q3.29).

        Tried from afar, that roll is a shot and adds Shooting Skill (R3.24).
        """
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        foe = require.living(table, self.target)
        if who.id == foe.id:
            table.refuse(f"{who.name} cannot try a stunt on {who.name}. Name a foe.", "target")
        settings = house(table)
        skill = arms.shooting_term(who) if self._is_afar(table, who, foe) else arms.weapon_term(who, settings)
        terms = (skill, *d20.bonuses(table, self.bonus))
        roll = rolls.roll_test(table, who, terms, kind="stunt", purpose="stunt", ease=self.ease + wounds.prey_ease(foe))
        opens, outcome = d20.attack_outcome(roll.natural, reaches=roll.total >= settings.stunt_target)
        word = "an opening" if outcome == "hit" else outcome
        check, goal = self.what or "stunt", settings.stunt_target
        d20.record_check(table, who.id, check, roll.total, goal, success=opens, outcome=word, against=foe.id)
        if not opens:
            turns.grant_free_attack(table, foe.id, who.id)
            return
        second, step = (attribute_term(who, self.attribute),), "stunt, second step"
        if rolls.roll_d6_test(
            table, who, second, kind="physical", check=step, goal=STUNT_GOAL, ease=self.ease, against=foe.id
        ):
            criticals.bring_down(table, foe.id, self.effect, source=who.id)

    def _is_afar(self, table: Table, who: Character, foe: Character) -> bool:
        """True if the foe is out of reach. Refused then, unless the GM rules that it works."""
        band = movement.range_between(table, who.id, foe.id) if table.encounter is not None else 0
        if band and not self.from_afar:
            bands = house(table).ranges
            table.refuse(
                f"{foe.name} is at {bands[band]} range, and a stunt is tried hand to hand. Move first: move {who.id} --to "
                f"{bands[band - 1]} --foes {foe.id}; or the GM rules that it works: --from-afar",
                "target",
            )
        return band > 0


def _brace(table: Table, name: str) -> None:
    who = turns.take_action(table, name)
    if not conditions.begin(table, who.id, turns.BRACED):
        table.refuse(f"{who.name} has braced already.")


class Brace(Action, verb="brace"):
    """Wait for a foe: the first to come within reach may be struck at once (R3.86)."""

    sentence = "braces for a foe"

    who: str = param.character("who braces", actor=True)

    check_available = verbs.available_if(_brace)

    def resolve(self, table: Table) -> None:
        _brace(table, self.who)


class Defend(Action, verb="defend"):
    """Fight off blows without striking: armour class is 2 better until the next turn (R3.88)."""

    sentence = "defends"

    who: str = param.character("who defends", actor=True)

    check_available = verbs.available_if(partial(turns.take_action, lying=True))

    def resolve(self, table: Table) -> None:
        """Also on the floor (R3.89)."""
        who = turns.take_action(table, self.who, lying=True)
        conditions.begin(table, who.id, arms.DEFENDING)


def _get_up(table: Table, name: str) -> None:
    who = turns.take_action(table, name, lying=True)
    if not conditions.end(table, who.id, wounds.FLOORED):
        table.refuse(f"{who.name} is not on the floor.", "who")


class Stand(Action, verb="stand"):
    """Get up from the floor, which takes a Round (R3.89)."""

    sentence = "stands up"

    who: str = param.character("who gets up", actor=True)

    check_available = verbs.available_if(_get_up)

    def resolve(self, table: Table) -> None:
        _get_up(table, self.who)
