"""Winning people over: influence, attitudes, and favours of friends (R0.104–R0.107, Q0.45)."""

from rollbook.kit import clock, d20, open_choices
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.heritages import is_beast
from rollbook.rulesets.storytoken.character.roles import TOPICS
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks import task_rolls

ATTITUDE = "attitude"
"""The kind of trait that is an attitude towards the party."""

FRIENDLY, NEUTRAL, HOSTILE = "friendly", "neutral", "hostile"
TARGETS = {FRIENDLY: 5, NEUTRAL: 15, HOSTILE: 25}
"""The total that an influence roll must reach, by the attitude of its target."""

BETTER = {HOSTILE: NEUTRAL, NEUTRAL: FRIENDLY}
FAVOURS = {
    "secret": "learn a secret that they know",
    "intentions": "learn what they mean to do",
    "access": "enter where they can let one in",
    "gear": "use their gear once, today or tomorrow",
    "other": "whatever else the table thinks of",
}
FAVOUR, INFLUENCE = "favour", "influence"


def attitude_of(who: Character) -> str:
    """The attitude towards the party; neutral unless it is known."""
    known = [trait for trait in who.traits_of(ATTITUDE) if trait in TARGETS]
    return known[-1] if known else NEUTRAL


def become(table: Table, who: Character, attitude: str) -> None:
    """Change an attitude."""
    for known in who.traits_of(ATTITUDE):
        table.record(events.TraitLost(character=who.id, trait=known, kind=ATTITUDE))
    table.record(events.TraitGained(character=who.id, trait=attitude, kind=ATTITUDE))


class Influence(task_rolls.TaskAction, verb="influence"):
    """Win a character over: 1d20 + CHA against friendly 5, neutral 15 or hostile 25 (R0.104–R0.106)."""

    sentence = "tries to win {target} over"
    typed_dice = (DiceStep(tests={"the d20 of the influence": "influence"}),)

    who: str = param.character("who talks", actor=True)
    target: str = param.character("whom they talk to")
    topic: str = param.choice("how they go about it, for the bonus of a role", TOPICS, default="", gm_only=False)
    favour: str = param.choice("what a friend is asked for", tuple(FAVOURS), default="", gm_only=False)
    unaware: tuple[str, ...] = param.choices(task_rolls.INSIGHT_HELP, (task_rolls.INSIGHT,), default=(), gm_only=True)
    informed: bool = param.flag(task_rolls.INFORMED_HELP, gm_only=False)
    beast: bool = param.flag("the GM takes them for a beast: Beast Bond may roll a failure again", gm_only=True)
    again: bool = param.flag("the GM allows a further roll in this scene", gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        _check_speaks(table, turns.take_action(table, who), "anybody")

    def resolve(self, table: Table) -> None:
        """Success makes the hostile neutral and the neutral friendly; a friend grants a favour, once a day."""
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        target = turns.able(table, self.target)
        attitude = attitude_of(target)
        self._check(table, who, target, attitude)
        bonus, informed = self.bonus, self.informed
        terms = [*task_rolls.task_terms(table, who, self.topic, bonus, informed=informed, against=target.id)]
        terms += task_rolls.unaware_terms(table, who, self.unaware, damage=False)
        with task_rolls.TaskRolls(table, reaction=TARGETS[attitude] if self.beast or is_beast(target) else 0) as rolls:
            roll = self.roll_task(rolls, who, "cha", "check", purpose=INFLUENCE, terms=terms)
        goal = TARGETS[attitude]
        success = roll.total >= goal
        table.record(events.PowerUsed(character=who.id, power=_this_scene(table), target=target.id))
        outcome = BETTER.get(attitude, "a favour") if success else f"still {attitude}"
        d20.record_roll(table, INFLUENCE, roll, goal, success=success, outcome=outcome, against=target.id)
        if success and attitude == FRIENDLY:
            self._grant(table, who, target)
        elif success:
            become(table, target, BETTER[attitude])

    def _check(self, table: Table, who: Character, target: Character, attitude: str) -> None:
        if who.id == target.id:
            table.refuse(f"{who.name} cannot influence {who.name}. Name somebody else.", "target")
        _check_speaks(table, who, target.name)
        if f"{_this_scene(table)}:{target.id}" in who.usages and not self.again:
            tried = f"{who.name} has already tried to influence {target.name} in this scene"
            table.refuse(f"{tried}. A new scene brings a new chance, or the GM allows it with --again.", "target")
        asked = clock.power_ready_in(table, who, f"{FAVOUR}:{target.id}", calendar=Settings.of(table).by_calendar)
        if attitude == FRIENDLY and asked:
            table.refuse(f"{target.name} has already done {who.name} a favour today. Ask again tomorrow.", "target")
        if self.favour and attitude != FRIENDLY:
            table.refuse(
                f"{target.name} is {attitude}, and only the friendly grant favours. Leave --favour out.", "favour"
            )

    def _grant(self, table: Table, who: Character, target: Character) -> None:
        """One favour, named at once or left open (R0.107)."""
        clock.use_power(table, who, FAVOUR, target=target.id, calendar=Settings.of(table).by_calendar)
        choice = f"{FAVOUR}-{target.id}"
        open_choices.offer(table, who.id, choice, FAVOURS, reason=f"{target.name} is friendly")
        if self.favour:
            table.record(events.ChoiceMade(character=who.id, choice=choice, picked=self.favour))


def _this_scene(table: Table) -> str:
    """The power that is used up for a scene. Reading ``scene`` makes a correction of scenes count."""
    return f"{INFLUENCE} in scene {table.scene_number}" if table.scene else INFLUENCE


class SetAttitude(Action, verb="attitude", gm_only=True):
    """Set a character's attitude towards the party."""

    sentence = "makes {who} {attitude:key} towards the party"

    who: str = param.character("whose attitude")
    attitude: str = param.choice("towards the party", tuple(TARGETS))
    reason: str = param.words("why", default="")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if attitude_of(who) == self.attitude and who.traits_of(ATTITUDE):
            table.refuse(f"{who.name} is already {self.attitude}.", "attitude")
        if self.reason:
            table.record(events.RulingMade(reason=self.reason, about=who.id))
        become(table, who, self.attitude)


def _check_speaks(table: Table, who: Character, whom: str) -> None:
    if conditions.is_silent(who):
        table.refuse(f"{who.name} cannot speak, and so cannot talk {whom} round.")
