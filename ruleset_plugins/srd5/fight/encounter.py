"""Encounters: initiative, rounds, turns; what ends with a turn or with time; the verb condition (R5.41–R5.49, R5.163)."""

from collections.abc import Callable, Sequence

from rollbook.kit import conditions, d20, fields, require, stat_entry, turn_limits, turn_order, verbs, vocabulary
from rollbook.plugin import Action, Character, Condition, DiceStep, Handle, HandleKind, Table, Term, events, param
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.fight import durations, dying, hit_points, movement, places, states, turns
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of
from rollbook.rulesets.srd5.settings import FIXED, Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves
from rollbook.rulesets.srd5.tasks.d20_tests import Test, TestRolls

INITIATIVE = "initiative"
KEPT_OUT = (states.DEAD, conditions.ARRIVING)
PASSED_OVER = (states.DEAD, states.SURPRISED, turns.RIDDEN)
TURN_CONDITIONS = (turns.REACTED, movement.DODGING)
"""Conditions that end when one's own turn begins."""

SAVE_AGAIN = dying.dice_of(
    "condition that a save ends, spell that goes on, and dying one whose turn begins",
    after="the turn ends, and the next begins",
)


def initiative_terms(who: Character) -> tuple[Term, ...]:
    """The terms of initiative: Dexterity, or what the stat block has (R5.42)."""
    block, terms = block_of(who), [abilities.modifier_term(who, "dex")]
    if block is not None and block.initiative != block.abilities["dex"].modifier:
        more = block.initiative - block.abilities["dex"].modifier
        terms.append(Term(more, "stat block", "R5.42", f"trait.{block.key}"))
    return (*terms, *stat_entry.terms(who, INITIATIVE, rule="QG.8"))


class BeginEncounter(verbs.BeginEncounterAction, verb="begin-encounter"):
    """A fight breaks out: everybody rolls 1d20 and adds Dexterity, once for the whole fight (R5.42–R5.45)."""

    typed_dice = (DiceStep(tests={"a d20 of initiative for each": "initiative"}), SAVE_AGAIN)

    surprised: tuple[str, ...] = param.characters("who of them is surprised", default=())
    unseen: tuple[str, ...] = param.characters("who of them begins invisible or hidden, with advantage", default=())
    ties: tuple[str, ...] = param.characters("who goes first where initiative is level, in this order", default=())

    def resolve(self, table: Table) -> None:
        if not self.participants:
            table.refuse("A fight needs participants: begin-encounter NAME,NAME,…", "participants")
        turn_order.check_participants(table, (*self.surprised, *self.unseen, *self.ties), self.participants)
        turn_order.begin_encounter(table, self.participants, title=self.title)
        with TestRolls(table) as rolls:
            scores = self._scores(table, rolls)
            table.record(events.RoundBegan())
            _set_order(table, self.participants, scores, self.ties)
            for follow in ON_INITIATIVE:
                follow(table, self.participants)
            for name in self.surprised if Settings.of(table).is_old else ():
                conditions.begin(table, name, states.SURPRISED)
            if not next_turn(table, rolls):
                table.refuse("Nobody in this fight can act. Name somebody who is alive.", "participants")

    def _scores(self, table: Table, rolls: TestRolls) -> dict[str, int]:
        """The initiative of each; monsters of one stat block share a roll, if the table plays so (R5.42, Q5.4)."""
        settings, scores, shared = Settings.of(table), {}, {}
        for name in self.participants:
            who, surprised, unseen = table.character(name), name in self.surprised, name in self.unseen
            block = block_of(who) if settings.group_initiative else None
            group = (block.key if block is not None else f"only {name}", surprised, unseen)
            if group not in shared:
                surprised = surprised and not settings.is_old
                shared[group] = initiative(table, rolls, who, surprised=surprised, unseen=unseen)
            scores[name] = shared[group]
        return scores


def initiative(table: Table, rolls: TestRolls, who: Character, *, surprised: bool = False, unseen: bool = False) -> int:
    """Initiative: a roll, or the score of 10 with 5 more or less for advantage and disadvantage (R5.42, R5.43, R5.163)."""
    ease = d20.Advantage(("unseen",) if unseen else (), ("surprised",) if surprised else ())
    test = Test(who, d20_tests.INITIATIVE, "dex")
    terms = initiative_terms(who)
    if Settings.of(table).initiative == FIXED:
        ease, terms = d20_tests.ease_of(table, test, ease), (*terms, *d20_tests.summands(table, test))
        return 10 + sum(term.amount for term in terms) + 5 * d20.cancelling_advantage(ease)
    return rolls.test(test, terms, purpose=INITIATIVE, ease=ease).total


def _set_order(table: Table, names: Sequence[str], scores: dict[str, int], ties: Sequence[str]) -> None:
    """Set the order: the highest first; ties as the table says, else by Dexterity, else as named (R5.44, R5.45, Q5.11)."""

    def rank(name: str) -> tuple[int, int, int]:
        tied = ties.index(name) if name in ties else len(ties)
        return -scores[name], tied, -abilities.score(table.character(name), "dex")

    order = sorted(names, key=rank)
    turn_order.set_order(table, [(table.character(name), (scores[name],)) for name in order])


def next_turn(table: Table, rolls: TestRolls) -> bool:
    """Begin the next turn of the round; who is dying makes a death save and is passed over. False if nobody is left."""
    while True:
        waiting = turn_order.still_to_act(table, KEPT_OUT)
        again = second_turn(table, waiting)
        if again:
            conditions.begin(table, again, SECOND)
            begin_turn(table, rolls, again)
            return True
        if not waiting:
            return False
        begin_turn(table, rolls, waiting[0].id)
        who = table.character(waiting[0].id)
        if not dying.is_down(who) and not any(map(who.has, PASSED_OVER)):
            return True
        end_turn(table, rolls, who.id)


SECOND = "second turn"
"""The condition of who has had two turns in the first round of a fight."""


def second_turn(table: Table, waiting: Sequence[Character]) -> str:
    """The one who has a second turn now, 10 after the first in the first round; "" for nobody (R5.470)."""
    fight = turn_order.require_encounter(table)
    scores = dict(zip(fight.order, fight.scores, strict=False))
    for name in fight.acted if fight.round == 1 else ():
        who = table.character(name)
        due = scores.get(name, 0) - 10
        is_next = not waiting or scores.get(waiting[0].id, 0) < due
        if is_next and features.has(who, "Thief's Reflexes") and not who.has(SECOND):
            return "" if states.is_unable(who) or who.has(states.DEAD) else name
    return ""


def begin_turn(table: Table, rolls: TestRolls, name: str) -> None:
    """Begin a turn: reactions come back, what lasted until now ends, the dying save (R5.30, R5.94)."""
    table.record(events.TurnBegan(character=name))
    conditions.end_for_all(table, (name,), *TURN_CONDITIONS)
    _end_with_turn(table, name, turn_limits.START)
    for follow in AT_START:
        follow(table, rolls, name)
    if dying.is_dying(table.character(name)):
        dying.death_save(table, rolls, name)


def _end_with_turn(table: Table, name: str, moment: str) -> None:
    turn_limits.end_with_turn(table, name, moment)
    for each in table.with_conditions():
        states.end_dependent(table, each.id)


TurnHook = Callable[[Table, TestRolls, str], object]
ON_INITIATIVE: list[Callable[[Table, Sequence[str]], object]] = []
"""Hooks of a roll of initiative: functions of table and the ids of who rolled."""

AT_START: list[TurnHook] = []
AT_END: list[TurnHook] = []
"""Hooks for when a turn begins and when it ends: functions of table, rolls and id."""


def end_turn(table: Table, rolls: TestRolls, name: str) -> None:
    """End a turn: saves that end conditions, then what lasts until now (R5.190, Q5.6)."""
    for follow in AT_END:
        follow(table, rolls, name)
    save_again(table, rolls, name, "target's turn end")
    fall_over(table, name)
    table.record(events.TurnEnded(character=name))
    _end_with_turn(table, name, turn_limits.END)
    conditions.end_for_all(table, (name,), movement.DISENGAGED, states.SURPRISED)


def fall_over(table: Table, name: str) -> None:
    """Fall prone at the end of a turn in the space of somebody who is not smaller, unless tiny (R5.58)."""
    who = table.character(name)
    size = 0 if who.has("mounted") else places.size_number(who)
    for other in places.near(table, who, 0) if size else ():
        if other.has(states.DEAD) or other.has("mounted") or places.may_share(who, other):
            continue
        if places.size_number(other) >= size:
            states.begin(table, name, states.PRONE)
            return


def save_again(table: Table, rolls: TestRolls, name: str, moment: str) -> None:
    """Make the saves that end conditions at this moment; one for all that one cause brought."""
    made: dict[tuple[str, str], bool] = {}
    for _, held in conditions.lying_on(table, (name,)):
        ability, when = held.data.get(durations.SAVE), held.data.get(durations.WHEN, ())
        if not isinstance(ability, str) or not isinstance(when, tuple):
            continue
        if moment not in (each.replace("next ", "") for each in when) or not table.character(name).has(held.name):
            continue
        cause = (held.source, str(held.data.get("of", held.name)))
        if cause not in made:
            who, dc, what = table.character(name), conditions.number(held, durations.DC), conditions.plain_name(held)
            ease = d20.Advantage((moment,) if moment in fields.names(held.data, durations.EASED) else ())
            made[cause] = saves.roll_save(
                table, rolls, who, ability, dc, against=held.source, versus=(what,), ease=ease
            )
        for follow in AFTER_SAVE:
            follow(table, rolls, name, held, made[cause])


AFTER_SAVE: list[Callable[[Table, TestRolls, str, Condition, bool], object]] = []
"""Functions for what follows the save that would end a condition, of which the last argument says if it was made."""


class EndTurn(verbs.EndTurnAction, verb="end-turn"):
    """End the turn; the next in the order has theirs, and after the last of a round the first again (R5.44)."""

    typed_dice = (SAVE_AGAIN,)

    def resolve(self, table: Table) -> None:
        turn_order.check_may_continue(table)
        encounter = turn_order.require_encounter(table)
        with TestRolls(table) as rolls:
            if encounter.current:
                who = table.character(encounter.current)
                if not require.is_gm(table) and who.seat != table.seat:
                    table.refuse(f"It is {who.name}'s turn, and {table.seat} does not play {who.name}.")
                end_turn(table, rolls, who.id)
            if next_turn(table, rolls):
                return
            turn_order.end_round(table, conditions.ARRIVING, seconds=durations.ROUND)
            for name in turn_order.require_encounter(table).order:
                expire(table, name)
            table.record(events.RoundBegan())
            next_turn(table, rolls)


def expire(table: Table, name: str) -> None:
    """End what has lasted its span."""
    dying.time_passed(table, name)
    for held in conditions.expire(table, name):
        for follow in AFTER_EXPIRY:
            follow(table, name, held)


AFTER_EXPIRY: list[Callable[[Table, str, Condition], object]] = []
"""Functions for what follows a condition that has lasted its span: functions of table, id and condition."""


def _arrive(table: Table, who: Character, *, surprised: bool) -> None:
    with TestRolls(table) as rolls:
        score = initiative(table, rolls, who, surprised=surprised)
    turn_order.insert(table, who.id, score)


JoinEncounter = verbs.join_encounter_verb(
    _arrive,
    help="A character joins a fight, rolls initiative, and acts in this round if their turn is still to come.",
    waits=lambda _: False,
    fields={"surprised": param.flag("the newcomer is surprised")},
    typed_dice=(DiceStep(tests={"the d20 of initiative": "initiative"}),),
)


def _end(table: Table, order: Sequence[str]) -> None:
    """End what only a fight knows: reactions, dodging, surprise, and what lasts to somebody's next turn (R5.49, Q5.12)."""
    names = [name for name in order if table.knows(name)]
    conditions.end_for_all(
        table, names, *TURN_CONDITIONS, movement.DISENGAGED, states.SURPRISED, conditions.ARRIVING, SECOND
    )
    for name in names:
        conditions.end_with_data(table, name, turn_limits.ENDS)


EndEncounter = verbs.end_encounter_verb(_end, help="The fight is over; what lasts for a turn ends with it (R5.49).")


class SetCondition(Action, verb="condition", gm_only=True):
    """Begin or end a condition by ruling: any of the fifteen, dead, stable, or another word; exhaustion by levels."""

    sentence = "rules that {who} is no longer {condition:key}{ends:if}|rules that {who} is {condition:key}"
    handles = (
        Handle(kind=HandleKind.AFFLICT, who="who", what="condition", lasts="lasts"),
        Handle(kind=HandleKind.RELIEVE, who="who", what="condition", given={"ends": "yes"}),
    )

    who: str = param.character("who is in it")
    condition: str = param.label(f"which: {', '.join(states.ROWS)}, or any other word", of=vocabulary.CONDITION)
    ends: bool = param.flag("it is over")
    source: str = param.character("who brought it: the charmer, what is feared, the grappler", default="")
    lasts: str = param.words("how long: '1 minute', 'end of the source\u2019s next turn' …", default="", of="lasts")
    levels: int = param.number("levels of exhaustion", default=1, minimum=1, maximum=6)
    dc: int = param.number("the DC to escape a grapple", default=0, minimum=0, maximum=100)

    typed_dice = dying.AFTER_HARM

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if self.condition == states.EXHAUSTION:
            self._exhaust(table, who)
            return
        held = who.conditions.get(self.condition)
        is_another = not self.ends and held is not None and self.source not in ("", held.source)
        if not (is_another and self.condition in states.ROWS):
            conditions.check_ruling(table, who, self.condition, ends=self.ends)
        if self.ends:
            self._end(table)
        else:
            self._begin(table)

    def _exhaust(self, table: Table, who: Character) -> None:
        had = states.level_of_exhaustion(who)
        if self.ends and not had:
            table.refuse(f"{who.name} is not exhausted.", "condition")
        if hit_points.exhaust(table, who.id, -self.levels if self.ends else self.levels) == had and not self.ends:
            table.refuse(f"{who.name} cannot be exhausted.", "condition")

    def _begin(self, table: Table) -> None:
        who = table.character(self.who)
        if states.is_immune(table, who, self.condition):
            table.refuse(f"{who.name} cannot be {self.condition}.", "condition")
        if self.condition == states.STABLE and dying.is_dying(who):
            dying.become_stable(table, who.id)
        elif self.condition == states.DEAD:
            dying.die(table, who.id, source=self.source)
        else:
            text = self.lasts.replace("\u2019", "'")
            until, data = durations.lasting(table, text, source=self.source, target=who.id)
            more = {durations.ESCAPE: self.dc} if self.dc else {}
            states.begin(table, who.id, self.condition, source=self.source, until=until, data={**data, **more})

    def _end(self, table: Table) -> None:
        who = table.character(self.who)
        if self.condition == states.UNCONSCIOUS and dying.is_down(who):
            table.refuse(f"{who.name} has 0 hit points. Any healing wakes {who.name}: heal {who.id} 1")
        states.end(table, who.id, self.condition)


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """The hook of the clock: spans end, and the stable come round (R5.100)."""
    for who in table.characters():
        expire(table, who.id)
        for follow in ON_TIME:
            follow(table, who.id, before, rest)
    if table.encounter is None:
        turn_limits.end_outside_fights(table, durations.ROUND)


ON_TIME: list[Callable[[Table, str, int, bool], object]] = []
"""Further effects of time: functions of table, id, the second at which it began, and whether it is a rest."""
