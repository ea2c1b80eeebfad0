"""Encounters: sides, initiative, rounds, turns and their limits (R1.14–R1.17, R1.21, Q1.6, Q1.7, Q1.12)."""

from collections.abc import Mapping, Sequence

from rollbook.kit import conditions, fields, require, stat_entry, turn_order, verbs, vocabulary
from rollbook.plugin import Action, Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.luckpoint.abilities import AWARENESS, ability_term, modifier, rating, rating_terms
from rollbook.rulesets.luckpoint.hit_points import CRITICAL, bleed
from rollbook.rulesets.luckpoint.luck import LuckyAction, TaskRolls
from rollbook.rulesets.luckpoint.movement import ACTION, METRES, has_run
from rollbook.rulesets.luckpoint.settings import INDIVIDUAL, OWN_TURN, Settings

BUSY, REACTED = "busy", "out of reactions"
"""The conditions of a task that takes rounds of a fight (R1.8), and of a reaction used until the next turn (Q1.26)."""

NO_ACTIONS = {CRITICAL: "{name} can crawl a metre a round, whisper and make saving throws. Healing brings {name} back."}
BUSY_TOO = NO_ACTIONS | {BUSY: "{name}'s task goes on for some rounds. To give it up, the GM rules: --out-of-turn"}

KEPT_OUT = (conditions.DEAD, conditions.ARRIVING)
"""Conditions that keep a character out of a round; those with critical wounds may still crawl (R1.46)."""


def take_action(table: Table, name: str, *, out_of_turn: bool = False) -> Character:
    """Take a task action. Refused for those who cannot act and, in an encounter, out of turn or with no action left."""
    who = require.able(table, name, NO_ACTIONS if out_of_turn else BUSY_TOO)
    encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn)
    if encounter is None:
        return who
    if encounter.spent.get(ACTION, 0) or has_run(encounter, who):
        why = "has run this turn" if has_run(encounter, who) else "has acted this turn"
        table.refuse(f"{who.name} {why}: a turn is one task action and a move, or a run. The turn ends with: end-turn")
    turn_order.spend(table, who, ACTION)
    return who


class TaskAction(LuckyAction):
    """A task action that rolls a d20."""

    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(take_action)

    def begin(self, table: Table, name: str) -> Character:
        return take_action(table, name, out_of_turn=self.out_of_turn)


def may_react(table: Table, name: str) -> bool:
    """Tell if a character could have an opening, should the target be the one who has moved away (R1.21)."""
    who, encounter = table.character(name), table.encounter
    if encounter is None or name not in encounter.order or encounter.current in ("", name) or who.has(REACTED):
        return False
    return bool(encounter.spent.get(METRES, 0)) and not any(who.has(state) for state in (*BUSY_TOO, conditions.DEAD))


def react(table: Table, name: str, target: Character) -> Character:
    """Take the one reaction between two turns of a character, at a target who moves away (R1.21, Q1.26)."""
    who = require.able(table, name, BUSY_TOO)
    encounter = turn_order.require_encounter(table)
    if who.id not in encounter.order:
        table.refuse(
            f"{who.name} does not take part in this encounter, and reactions are for those who do.", "attacker"
        )
    if encounter.current == who.id:
        table.refuse(
            f"It is {who.name}'s own turn; a reaction comes between turns. Attack without --opportunity.", "opportunity"
        )
    if encounter.current != target.id or not encounter.spent.get(METRES, 0):
        table.refuse(
            f"{target.name} has not moved away in this turn, and only that gives an opening (R1.21).", "target"
        )
    if not conditions.begin(table, who.id, REACTED):
        table.refuse(f"{who.name} has reacted already; there is one reaction between two turns.", "opportunity")
    return who


def start_turn(table: Table, name: str) -> None:
    """Begin a turn; it brings another reaction."""
    table.record(events.TurnBegan(character=name))
    conditions.end(table, name, REACTED)


PARTY, FOES = "party", "foes"
SIDE = "side"
"""The condition of a character who fights on another side than its kind; its data names the side."""


def side_of(who: Character) -> str:
    """The side of a character: player characters and hirelings are the party, all others foes, unless another was named."""
    own = who.conditions.get(SIDE)
    if own is not None and (side := fields.text(own.data, SIDE)):
        return side
    return PARTY if who.kind in (events.CharacterKind.PLAYER_CHARACTER, events.CharacterKind.HIRELING) else FOES


def take_sides(table: Table, sides: Mapping[str, str], participants: Sequence[str]) -> None:
    """Set the sides of characters. Refused for those who do not take part."""
    for name, side in sides.items():
        turn_order.check_participants(table, (name,), participants)
        if side_of(table.character(name)) != side:
            table.record(events.ConditionBegan(character=name, condition=SIDE, detail=side, data={SIDE: side}))


def initiative_terms(who: Character) -> list[Term]:
    """The summands of the d20 of initiative: the better of Dexterity and Awareness (R1.14)."""
    is_wary = rating(who, AWARENESS) > modifier(who, "dex")
    terms = rating_terms(who, AWARENESS) if is_wary else [ability_term(who, "dex")]
    return [*terms, *stat_entry.terms(who, "initiative")]


def by_side(who: Sequence[Character]) -> dict[str, list[Character]]:
    """The characters by side; within a side the quickest first, and those with critical wounds last."""

    def place(each: Character) -> tuple[bool, int]:
        return each.has(CRITICAL), -sum([term.amount for term in initiative_terms(each)])

    sides: dict[str, list[Character]] = {}
    for each in who:
        sides.setdefault(side_of(each), []).append(each)
    return {side: sorted(members, key=place) for side, members in sides.items()}


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> bool:
    """Begin a round with initiative; those who cannot act stay in the order, last. Returns whether anyone can act."""

    def score(who: Character) -> tuple[int, int]:
        roll = rolls.with_advantage(who.id, initiative_terms(who), purpose="initiative")
        return roll.total, roll.modifier

    def in_order(able: Sequence[Character]) -> list[turn_order.Ranked]:
        if Settings.of(table).initiative_mode == INDIVIDUAL:
            return turn_order.rank(able, score)
        sides = by_side(able)
        speakers = turn_order.rank([members[0] for members in sides.values()], score)
        return [(member, rolled) for speaker, rolled in speakers for member in sides[side_of(speaker)]]

    first = turn_order.begin_round(table, participants, KEPT_OUT, in_order)
    if first:
        start_turn(table, first)
    return bool(first)


SPEAKERS = "a d20 of initiative for each side, or for each character"
BLEEDING = DiceStep(
    each="character who bleeds",
    effects={"the d6 of the blood lost": "bleeding"},
    after="blood is lost for the time that has passed",
)


class BeginEncounter(Action, verb="begin-encounter", gm_only=True):
    """Count time in rounds: each side rolls 1d20 and its best initiative, the higher goes first (R1.15)."""

    sentence = "begins an encounter with {participants}"
    handles = verbs.BEGINS_A_FIGHT
    typed_dice = (turn_order.initiative_dice(SPEAKERS, first=True),)

    participants: tuple[str, ...] = param.characters("who takes part")
    sides: Mapping[str, str] = param.pairs(
        "who fights on another side than party or foes, as ida=party",
        default={},
        of=f"{vocabulary.CHARACTER}={vocabulary.SIDE}",
    )
    title: str = param.label("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        turn_order.begin_encounter(table, self.participants, title=self.title)
        take_sides(table, self.sides, self.participants)
        with TaskRolls(table) as rolls:
            if not begin_round(table, rolls, self.participants):
                table.refuse("Nobody in this encounter can act. Name a character who can.", "participants")


JoinEncounter = verbs.join_encounter_verb(
    lambda table, who, *, side: take_sides(table, {who.id: side} if side else {}, (who.id,)),
    help="A character joins a fight and can act from the next round on.",
    fields={"side": param.words("on which side, if not that of their kind", default="", of=vocabulary.SIDE)},
)


class EndTurn(verbs.EndTurnAction, verb="end-turn"):
    """End the turn. The next of the same side follows, or the other side; when all have acted, a new round begins."""

    typed_dice = (BLEEDING, turn_order.initiative_dice(SPEAKERS))
    handles = verbs.CHOOSES_NEXT

    next: str = param.character("who of the same side goes next, if not the quickest", default="", gm_only=False)

    def resolve(self, table: Table) -> None:
        turn_order.check_may_continue(table)
        ended = turn_order.end_turn(table)
        if ended and Settings.of(table).bleed_at == OWN_TURN and table.character(ended).has(conditions.BLEEDING):
            bleed(table, ended, 1)
        waiting = turn_order.still_to_act(table, KEPT_OUT)
        with TaskRolls(table) as rolls:
            if waiting:
                start_turn(table, self._following(table, waiting))
                return
            if self.next:
                table.refuse("The round is over, so initiative decides who is next. Leave --next out.", "next")
            turn_order.end_round(table, conditions.ARRIVING, seconds=Settings.of(table).round_seconds)
            begin_round(table, rolls, turn_order.require_encounter(table).order)

    def _following(self, table: Table, waiting: Sequence[Character]) -> str:
        """The next character: sides go one after the other; within a side any may be next (R1.15)."""
        if not self.next:
            return waiting[0].id
        if Settings.of(table).initiative_mode == INDIVIDUAL:
            table.refuse(
                f"At this table everybody has an initiative, and {waiting[0].name} is next. Leave --next out.", "next"
            )
        may = [who.id for who in waiting if side_of(who) == side_of(waiting[0])]
        if self.next not in may:
            said = f"{table.character(self.next).name} cannot go next. It is the turn of the {side_of(waiting[0])}"
            table.refuse(f"{said}, with {', '.join(may)} still to act.", "next")
        return self.next


class GiveWay(Action, verb="give-way"):
    """Let another character of the same side go first, before anything was done in the turn."""

    sentence = "gives way to {to}"

    who: str = param.character("whose turn it is", actor=True)
    to: str = param.character("who goes first instead")

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        if not cls._others(table, who):
            table.refuse(f"Nobody else of {table.character(who).name}'s side is still to act.")

    def resolve(self, table: Table) -> None:
        who, other = table.character(self.who), table.character(self.to)
        may = self._others(table, who.id, hand_on=f" --next {other.id}")
        if other.id not in may:
            others = ", ".join(may) or "nobody"
            table.refuse(f"{other.name} cannot go first. Of {who.name}'s side there is still to act: {others}.", "to")
        start_turn(table, other.id)

    @staticmethod
    def _others(table: Table, name: str, *, hand_on: str = "") -> list[str]:
        """The others of the same side who could go first. Refused once the turn has begun."""
        who = table.character(name)
        encounter = turn_order.check_turn(table, who)
        if Settings.of(table).initiative_mode == INDIVIDUAL:
            table.refuse(f"At this table everybody has an initiative, and now it is {who.name}'s turn.")
        if encounter.spent:
            table.refuse(f"{who.name} has begun already. The next one follows with: end-turn{hand_on}")
        waiting = turn_order.still_to_act(table, KEPT_OUT)
        return [each.id for each in waiting if side_of(each) == side_of(who) and each.id != who.id]


EndEncounter = verbs.end_encounter_verb(
    lambda table, order: conditions.end_for_all(table, order, conditions.ARRIVING, REACTED, SIDE),
    help="The encounter is over; nobody counts rounds any more, but open wounds bleed on.",
)
