"""Spending and earning story tokens (R0.95–R0.103). Rerolls are second thoughts: see ``task_rolls``."""

from rollbook.kit import dying, equipment, turn_order, vocabulary
from rollbook.plugin import ABILITIES, Action, Character, CharacterKind, DiceStep, Table, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points, time_passing
from rollbook.rulesets.storytoken.character import heritages, roles
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story import social, tokens

REVIVE, EXTRA, QUESTION, ITEM, RECRUIT = "revive", "extra-action", "question", "item", "recruit"
BENEFITS = (REVIVE, EXTRA, QUESTION, ITEM, RECRUIT)
TROUBLE = "trouble"


def grant(table: Table, spender: Character | None, benefit: str, whom: str, what: str, task: str = "") -> None:
    """Bring about the benefit of one token or complication point; an item helps with one ``task`` (R0.99)."""
    if benefit == REVIVE:
        _revive(table, spender, table.character(whom))
    elif benefit == EXTRA:
        _extra_action(table, turns.able(table, whom))
    elif benefit == RECRUIT:
        _recruit(table, spender, turns.able(table, whom))
    elif not what:
        table.refuse(f"Say with --what which {benefit} it is about.", "what")
    elif benefit == ITEM:  # it gives advantage on one task (R0.99), and takes the place of nothing that is held
        who = turns.able(table, whom)
        if what in who.gear and who.gear[what].count > 0:
            table.refuse(f"{who.name} holds {what} already. Name another item.", "what")
        table.record(events.GearGained(character=who.id, item=what, use=("advantage", task or what)))


def _revive(table: Table, spender: Character | None, who: Character) -> None:
    """Raise 0 or fewer hit points to exactly 1 (R0.96); the dead stay dead, but for a house rule (Q0.39)."""
    settings = Settings.of(table)
    if who.has(conditions.DEAD):
        fresh = table.encounter is not None and who.conditions[conditions.DEAD].since == table.clock
        if settings.token_revives_dead != "same_round" or not fresh:  # noqa: S105 - a story token, not a secret
            table.refuse(f"{who.name} is dead, and a story token only helps somebody who is unconscious.", "whom")
        dying.revive(table, who.id)
    left = hit_points.current_hp(who, settings)
    if left > 0:
        table.refuse(f"{who.name} has {left} hit points; a token brings somebody back from 0 or fewer.", "benefit")
    if who.has(conditions.DEAD):
        table.record(events.HitPointsRestored(character=who.id, amount=1 - left, tags=(hit_points.TOKEN,)))
        hit_points.update_conditions(table, who.id)
    else:
        hit_points.restore(table, who.id, 1 - left, tags=(hit_points.TOKEN,), source=spender.id if spender else "")


def _extra_action(table: Table, who: Character) -> None:
    """One more action in the current turn, as often as the table allows (R0.97, Q0.40)."""
    encounter = table.encounter
    if encounter is None:
        table.refuse("Actions are only counted in an encounter; outside one, nobody needs an extra one.")
    if encounter.current != who.id:
        table.refuse(f"It is not {who.name}'s turn. An extra action is for the turn that is being taken.")
    most = Settings.of(table).extra_actions_per_turn
    if encounter.spent.get(turns.EXTRA_ACTION, 0) >= most:
        table.refuse(f"{who.name} has had {most} extra action this turn, and that is all that tokens buy (Q0.40).")
    turn_order.spend(table, who, turns.EXTRA_ACTION)


def _recruit(table: Table, spender: Character | None, beast: Character) -> None:
    """A character with Beast Bond wins over a beast that is not hostile, for the scene (R0.160)."""
    if spender is None or not any(role.bonds_with_beasts for role in roles.roles_of(spender)):
        table.refuse("Only a character with the role Beast Bond recruits a creature, with a token of their own.")
    if beast.id == spender.id:
        table.refuse(f"Say with --whom which creature {spender.name} recruits.", "whom")
    elif beast.kind is CharacterKind.PLAYER_CHARACTER:
        table.refuse(f"{beast.name} is a player's, and nobody recruits those. Name a creature with --whom.", "whom")
    elif not heritages.is_beast(beast):
        table.refuse(
            f"{beast.name} is no beast. If the GM takes them for one: trait {beast.id} {heritages.BEAST}", "whom"
        )
    elif social.attitude_of(beast) == social.HOSTILE:
        table.refuse(f"{beast.name} is hostile, and only a creature that is not can be recruited.", "whom")
    scene = {conditions.SCENE: time_passing.this_scene(table)}
    conditions.begin(table, beast.id, conditions.RECRUITED, source=spender.id, data=scene, again=True)


def _reason(benefit: str, what: str) -> str:
    return f"{benefit}: {what}" if what else benefit


class SpendToken(Action, verb="spend-token"):
    """Spend a story token: revive a character, take an extra action, get a question answered, or find the right item."""

    sentence = "spends a story token[ on {benefit:key}][ for {whom}]"

    who: str = param.character("who spends it", actor=True)
    benefit: str = param.choice("on what; a reroll is a second thought on the roll itself", BENEFITS)
    whom: str = param.character("whom it is for, if not themselves", default="", gm_only=False)
    what: str = param.words("the question, or the item", default="", gm_only=False)
    task: str = param.choice("the one task that an item helps with", roles.TOPICS, default="", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        cls.pay(table, table.character(who), "")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        self.pay(table, who, _reason(self.benefit, self.what))
        grant(table, who, self.benefit, self.whom or who.id, self.what, self.task)

    @staticmethod
    def pay(table: Table, who: Character, reason: str) -> None:
        tokens.pay(table, who.id, reason)


class TemptFate(SpendToken, verb="tempt-fate"):
    """Gain a story token for something that happens at once; the GM gets two complication points (R0.102, Q0.41)."""

    sentence = "tempts fate[ for {benefit:key}][ of {whom}]"

    @staticmethod
    def pay(table: Table, who: Character, reason: str) -> None:
        tokens.tempt(table, who, reason)


class OwnSetback(Action, verb="setback", gm_only=True):
    """Own the setback: a complication that the player proposes, severe enough for the GM to pay a token (R0.100)."""

    sentence = "{who} owns a setback[: {complication}]"
    typed_dice = (DiceStep(tables={"a die for what is lost, if that is left to chance": "what is lost"}),)

    who: str = param.character("whose setback it is")
    complication: str = param.words("what goes wrong")
    loses: str = param.words("a thing that is lost by it", default="", of=vocabulary.THING)
    at_random: bool = param.flag("a thing is lost by it, and dice say which")
    disadvantage: str = param.choice("an ability with disadvantage until a long rest", ABILITIES, default="")

    def _lost(self, table: Table, who: Character) -> str:
        """The thing that is lost, "" for none. Refused for one that is not held."""
        carried = [item for item, _ in equipment.carried(who)]
        if self.at_random and (self.loses or not carried):
            why = f"--loses {self.loses!r} says which thing it is" if self.loses else f"{who.name} has nothing to lose"
            table.refuse(f"No thing is lost at random: {why}.", "loses")
        if self.at_random:
            one_of = len(carried)
            return carried[table.roll(f"1d{one_of}", roller=who.id, purpose="what is lost").total - 1]
        if self.loses and self.loses not in carried:
            table.refuse(f"{who.name} has no {self.loses!r} to lose.", "loses")
        return self.loses

    def resolve(self, table: Table) -> None:
        """Record the setback, which the GM thereby approves. Refused at the cap (Q0.37)."""
        who = table.character(self.who)
        tokens.check_room(table, who)
        item = self._lost(table, who)
        if item:
            table.record(events.GearLost(character=who.id, item=item))
        if self.disadvantage:
            impaired, rest = conditions.impaired(self.disadvantage), conditions.LONG_REST
            detail, ends = f"until a {rest}", {conditions.ENDS: rest}
            conditions.begin(table, who.id, impaired, source=self.complication, detail=detail, data=ends, again=True)
        tokens.gain(table, who, f"owns a setback: {self.complication}")


class Complicate(Action, verb="complicate", gm_only=True):
    """The GM spends complication points, which work like tokens for NPCs, monsters and hazards (R0.103, Q0.42)."""

    sentence = "spends complication points[ on {benefit:key}][ for {whom}]"

    benefit: str = param.choice("on what", (TROUBLE, *BENEFITS))
    what: str = param.words("what happens, or the item", default="")
    whom: str = param.character("whom it is for", default="")
    points: int = param.number("how many points trouble costs", default=1, minimum=1, maximum=100)

    def resolve(self, table: Table) -> None:
        for _ in range(self.points if self.benefit == TROUBLE else 1):
            tokens.pay(table, "", _reason(self.benefit, self.what))
        if self.benefit == TROUBLE:
            return
        if not self.whom:
            table.refuse(f"Say with --whom who gets the {self.benefit}.", "whom")
        grant(table, None, self.benefit, self.whom, self.what)
