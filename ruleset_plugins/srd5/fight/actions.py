"""Actions other than attacks: dash, disengage, dodge, help, hide, search, ready, first aid, influence, study (R5.89–R5.192).

On record: ``TurnSpent("dash")``; the conditions ``disengaged`` (to the end of the turn), ``dodging`` and ``readied``
(to one's next turn), ``hidden`` with the ``dc`` to be found by, ``distracted`` on an enemy and ``helped`` on an ally,
by who helps. An attitude is a trait of the kind "attitude" (friendly, indifferent, hostile); a failed influence rests for a day.
"""

from rollbook.kit import clock, conditions, d20, require, sides, turn_limits, turn_order, verbs, vocabulary
from rollbook.plugin import Character, DiceStep, Table, character, choice, events, flag, number, words
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight import attack_edges, durations, dying, movement, places, states, turns
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import checks
from rollbook.rulesets.srd5.tasks.d20_tests import ATTACK, CHECK, Test, TestRolls, edge, reason

DASH, DISENGAGE, DODGE, HIDE, HELPED, READIED = "dash", "disengage", "dodge", "hide", "helped", turns.READIED
HIDING_DC = 15
WAYS = ("insight", "medicine", "perception", "survival")


def as_bonus_action(who: Character) -> frozenset[str]:
    """The actions that somebody may take as a bonus action."""
    block, standing = block_of(who), effects_on(who, "grant")
    granted = {word for held in standing if held.effect.action == turns.BONUS for word in held.effect.to}
    for each in block.bonus_actions if block is not None else ():
        granted.update(word for effect in each.effects for word in getattr(effect, "to", ()) if effect.kind == "grant")
    return frozenset(granted)


class TurnAction(turns.OwnVerb):
    """An action of the turn, to be derived from; some may take it as a bonus action."""

    bonus_action: bool = flag("as a bonus action, for those who may", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        """Refuse who has neither an action left nor, for what they may, a bonus action."""
        costs = (turns.ACTION, turns.BONUS) if cls.verb in as_bonus_action(table.character(who)) else (turns.ACTION,)
        require.any_of(costs, lambda cost: turns.take(table, who, cost, what=cls.verb))

    def begin(self, table: Table) -> Character:
        """Pay for it. Refused as a bonus action for those who may not (R5.28)."""
        who, cost = table.character(self.who), turns.BONUS if self.bonus_action else turns.ACTION
        if self.bonus_action and self.verb not in as_bonus_action(who) and not self.out_of_turn:
            table.refuse(f"Nothing lets {who.name} {self.verb} as a bonus action.", "bonus_action")
        return turns.take(table, who.id, cost, out_of_turn=self.out_of_turn, what=self.verb)


class Dash(TurnAction, verb="dash"):
    """Have the speed once more this turn (R5.128)."""

    def resolve(self, table: Table) -> None:
        who = self.begin(table)
        if table.encounter is not None:
            turns.spend(table, who, movement.DASHES)


def _stand_by(table: Table, name: str, condition: str) -> None:
    """Begin what a turn ends; outside a fight the time of one does."""
    conditions.begin(table, name, condition, until=0 if table.encounter is not None else table.clock + durations.ROUND)


class Disengage(TurnAction, verb="disengage"):
    """Provoke nobody by moving until the turn ends (R5.132)."""

    def resolve(self, table: Table) -> None:
        _stand_by(table, self.begin(table).id, movement.DISENGAGED)


class Dodge(TurnAction, verb="dodge"):
    """Be harder to hit and better at Dexterity saves until the next turn (R5.133)."""

    def resolve(self, table: Table) -> None:
        _stand_by(table, self.begin(table).id, movement.DODGING)


class Help(TurnAction, verb="help"):
    """Distract an enemy who is beside you for an ally's next attack, or assist an ally with a skill (R5.150, R5.151)."""

    sentence = "helps against {enemy}{enemy:if}|helps {ally}"

    ally: str = character("who is helped with a check", default="", gm_only=False)
    enemy: str = character("or who is distracted", default="", gm_only=False)
    skill: str = words("with which skill", default="", of=vocabulary.SKILL, gm_only=False)

    def resolve(self, table: Table) -> None:
        if bool(self.ally) == bool(self.enemy):
            table.refuse("Help an ally with --ally and --skill, or against somebody with --enemy.", "ally")
        who, tool = table.character(self.who), features.spelled(self.skill)
        key = tool if tool and checks.masters(who, tool) else ""
        key = key or (abilities.skill_key(self.skill) if self.skill else "")
        other = require.living(table, self.ally or self.enemy)
        self._check(table, who, other, key)
        data = {**turn_limits.until_turn(table, self.begin(table).id, turn_limits.START), "skill": key}
        state = HELPED if self.ally else attack_edges.DISTRACTED
        conditions.begin(table, other.id, state, source=who.id, detail=key, data=data, again=True)

    def _check(self, table: Table, who: Character, other: Character, key: str) -> None:
        if other.id == who.id:
            table.refuse(f"{who.name} cannot help {who.name}.", "ally")
        if self.ally and not key:
            table.refuse("Say with which skill: --skill athletics", "skill")
        trained = who.traits.get(key) in (abilities.SKILL, abilities.EXPERTISE) or checks.masters(who, key)
        if key and not trained and block_of(who) is None and not Settings.of(table).is_old:
            table.refuse(f"{who.name} is not proficient in {key}, and cannot help with it.", "skill")
        if self.enemy:
            places.check_beside(table, who, other, "enemy")


@reason(ATTACK, CHECK)
def helped(table: Table, test: Test) -> d20.Advantage:
    """Advantage on the next check with the skill, or for the next ally who attacks the distracted (R5.150, R5.151)."""
    is_attack = test.kind == ATTACK
    holder, state = (test.against, attack_edges.DISTRACTED) if is_attack else (test.who, HELPED)
    held = holder.conditions.get(state) if holder is not None else None
    if holder is None or held is None or not table.knows(held.source):
        return d20.NO_ADVANTAGE
    helper = table.character(held.source)
    if not (sides.are_allies(helper, test.who) if is_attack else held.data.get("skill") in (test.skill, *test.versus)):
        return d20.NO_ADVANTAGE
    conditions.end(table, holder.id, state)
    return edge("advantage", f"help from {helper.name}")


class Hide(checks.CheckAction, TurnAction, verb="hide"):
    """Hide out of sight: Stealth against 15 (2024), or against those who might notice (2014); the total is the DC (R5.152)."""

    dc: int = number("the DC, if the GM rules another", default=0, minimum=0, maximum=100, gm_only=True)

    def resolve(self, table: Table) -> None:
        who = self.begin(table)
        with TestRolls(table, self.spared) as rolls:
            roll = checks.roll_only(table, rolls, who, "dex", skill="stealth", said=self)
        dc = self.dc or (_noticed_by(table, who) if Settings.of(table).is_old else HIDING_DC)
        d20.record_roll(table, "stealth check", roll, dc, success=roll.total >= dc)
        if roll.total >= dc:
            conditions.begin(table, who.id, attack_edges.HIDDEN, data={"dc": roll.total}, again=True)


GRANTED = {DASH: Dash, DISENGAGE: Disengage, DODGE: Dodge, HIDE: Hide}
"""Actions that features let somebody take for what they cost themselves."""


def _noticed_by(table: Table, who: Character) -> int:
    """The best passive Perception of the enemies (2014)."""
    enemies = (each for each in turn_order.present(table) if sides.are_enemies(who, each))
    return max((sum(term.amount for term in checks.passive(each)) for each in enemies), default=10)


class Search(checks.CheckAction, TurnAction, verb="search"):
    """Look for somebody hidden, or for anything: a Wisdom check with a skill (R5.153, R5.186)."""

    sentence = "searches[ for {target}]"

    target: str = character("for whom", default="", gm_only=False)
    skill: str = choice("insight, medicine, perception or survival", WAYS, default="perception", gm_only=False)
    dc: int = number("the DC, where it is not the hidden one's", default=15, minimum=0, maximum=100, gm_only=True)

    def resolve(self, table: Table) -> None:
        who = self.begin(table)
        held = table.character(self.target).conditions.get(attack_edges.HIDDEN) if self.target else None
        if self.target and held is None:
            table.refuse(f"{table.character(self.target).name} is not hidden.", "target")
        found = self.check(table, who, "wis", conditions.number(held, "dc") or self.dc, skill=self.skill)
        if found and held is not None:
            conditions.end(table, self.target, attack_edges.HIDDEN)


class Ready(TurnAction, verb="ready"):
    """Ready an action or a move for a trigger; it is then done with the reaction (R5.181)."""

    sentence = "readies {what}"

    what: str = words("what will be done", gm_only=False)
    trigger: str = words("when it is done", gm_only=False)

    def resolve(self, table: Table) -> None:
        who = self.begin(table)
        data = {**turn_limits.until_turn(table, who.id, turn_limits.START), "what": self.what}
        conditions.begin(table, who.id, READIED, detail=f"{self.what}, when {self.trigger}", data=data, again=True)


class Stabilise(checks.CheckAction, turns.OwnVerb, verb="stabilise"):
    """Keep somebody from dying by Medicine against 10 or a healer's kit, or wake the knocked out (R5.89, R5.99)."""

    sentence = "tends {patient}"
    typed_dice = (DiceStep(tests={"the d20 of the check": "check"}, effects=dying.HOURS),)

    patient: str = character("who is dying")
    kit: bool = flag("with a healer's kit, which needs no check", gm_only=False)

    check_available = verbs.available_if(turns.check_action)

    def resolve(self, table: Table) -> None:
        patient = require.living(table, self.patient)
        if not dying.is_dying(patient) and not dying.is_knocked_out(patient):
            table.refuse(f"{patient.name} is not dying, so there is nothing to stop.", "patient")
        who = turns.take(table, self.who, turns.ACTION, out_of_turn=self.out_of_turn)
        if not self.kit and not self.check(table, who, "wis", dying.DC, skill="medicine", against=patient):
            return
        if dying.is_knocked_out(patient):
            dying.come_round(table, patient.id)
        else:
            dying.become_stable(table, patient.id)


ATTITUDE, FRIENDLY, INDIFFERENT, HOSTILE = "attitude", "friendly", "indifferent", "hostile"
INFLUENCES = ("deception", "intimidation", "performance", "persuasion", "animal handling")
STUDIES = ("arcana", "history", "investigation", "nature", "religion")
WILLING, UNWILLING, HESITANT = "willing", "unwilling", "hesitant"
DC = 15


class Influence(checks.CheckAction, TurnAction, verb="influence"):
    """Urge somebody: a check against 15 or their Intelligence, if they are neither willing nor unwilling (R5.161, R5.162)."""

    sentence = "urges {target}"

    target: str = character("who is urged")
    skill: str = choice("in which way", INFLUENCES, default="persuasion", gm_only=False)
    mood: str = choice("how the target feels about it", (HESITANT, WILLING, UNWILLING), default=HESITANT, gm_only=True)
    dc: int = number("the DC, if the GM rules another", default=0, minimum=0, maximum=100, gm_only=True)

    def resolve(self, table: Table) -> None:
        target = table.character(self.target)
        dc = self.dc or max(DC, abilities.score(target, "int"))
        power = f"influence:{self.skill}"
        rests = clock.power_ready_in(table, table.character(self.who), f"{power}:{target.id}")
        if rests:
            table.refuse(f"{target.name} has refused; it can be tried again in {clock.duration(rests)}.", "target")
        who, wills = self.begin(table), self.mood == WILLING
        if self.mood != HESITANT:
            d20.record_check(table, who.id, "influence", 0, dc, success=wills, outcome=self.mood, against=target.id)
            return
        ease = {FRIENDLY: d20.Advantage((FRIENDLY,)), HOSTILE: d20.Advantage(disadvantage=(HOSTILE,))}
        if states.by(target, states.CHARMED, who.id):
            ease = dict.fromkeys((FRIENDLY, INDIFFERENT, HOSTILE), d20.Advantage(("charmed",)))
        feels = next(iter(target.traits_of(ATTITUDE)), INDIFFERENT)
        how = {"skill": self.skill, "against": target, "ease": ease.get(feels, d20.NO_ADVANTAGE)}
        if not self.check(table, who, abilities.SKILLS[self.skill].ability, dc, **how):
            table.record(events.PowerUsed(character=who.id, power=power, target=target.id))


class Study(checks.CheckAction, TurnAction, verb="study"):
    """Recall or work out something: an Intelligence check with a skill (R5.192)."""

    skill: str = choice("about what", STUDIES, default="investigation", gm_only=False)
    dc: int = number("the DC", default=DC, minimum=0, maximum=100, gm_only=True)

    def resolve(self, table: Table) -> None:
        self.check(table, self.begin(table), "int", self.dc, skill=self.skill)
