"""Ability checks and opposed tasks, and the tools used for them (R0.15–R0.22)."""

from collections.abc import Collection
from functools import partial

from rollbook.kit import d20, equipment, require, verbs, vocabulary
from rollbook.plugin import ABILITIES, Character, DiceStep, Table, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.abilities import ABILITY_USES
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.character.roles import TOPICS, role_terms
from rollbook.rulesets.storytoken.fight import arms, turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks.task_rolls import INFORMED_HELP, TaskAction, TaskRolls, task_terms

ABILITY_HELP = "; ".join(f"{ability.upper()}: {uses}" for ability, uses in ABILITY_USES.items())
LADDER = {"easy": 5, "hard": 15, "extreme": 25}
"""The fixed targets of tasks (R0.19)."""

SPECIALIZED = "advantage"
"""The use of a thing that is made for one task and gives advantage on it: ``advantage:stealth in the woods``."""


MADE_FOR = {"stealth in the woods": "native stealth"}
"""Tasks in the words of a printed sheet, with the topic that they are (R0.193)."""


def tool_ease(table: Table, who: Character, item: str, topic: str) -> d20.Advantage:
    """The advantage of a thing made for one task: of this ``topic``, or one that the GM accepts (R0.99)."""
    if not item:
        return d20.NO_ADVANTAGE
    held = who.gear.get(item)
    if held is None or held.count < 1:
        carried = ", ".join(thing for thing, _ in equipment.carried(who)) or "no things"
        table.refuse(f"{who.name} has no {item!r}. Held are: {carried}.", "using")
    check_thing(table, who, item, held.use)
    if held.use[:1] != (SPECIALIZED,):
        table.refuse(
            f"{who.name}'s {item} is not specialized enough, unless the GM thinks so: --advantage {item!r}.", "using"
        )
    task = "".join(held.use[1:2])
    if not topic or MADE_FOR.get(task, task) != topic:
        require.ruling(table, "using", f"the topic is what {item} is made for")
    return d20.Advantage(advantage=(item,))


def specialized(who: Character) -> tuple[str, ...]:
    """The things of a character that are made for one task."""
    return tuple(item for item, _ in equipment.used_as(who, SPECIALIZED))


def check_thing(table: Table, who: Character, item: str, marks: Collection[str]) -> None:
    """Refuse a thing that is made for hands, hacked or overheated (R0.73, R0.79, R0.142)."""
    if heritage_of(who).no_tools:
        table.refuse(
            f"{who.name} is an animal and cannot use {item}: tools and weapons are made for hands.",
            table.parameter_of(item),
        )
    turns.check_control(table, who, item)
    if arms.TECH in marks and who.has(conditions.OVERHEATED):
        table.refuse(
            f"{who.name}'s {item} is overheated. It works again when it is cooled or mended: relieve.",
            table.parameter_of(item),
        )


class Check(TaskAction, verb="check"):
    """Try a task: 1d20 + ability + whatever helps, against easy 5, hard 15 or extreme 25 (R0.15, R0.19)."""

    sentence = "tries {check:a}|tries something"
    typed_dice = (DiceStep(tests={"the d20 of the check": "check"}),)

    who: str = param.character("who tries", actor=True)
    ability: str = param.choice(f"with which ability ({ABILITY_HELP})", ABILITIES)
    topic: str = param.choice("what the task is about, for the bonus of a role", TOPICS, default="", gm_only=False)
    target: str = param.words("easy, hard, extreme or a number", default="hard", gm_only=True, of=vocabulary.TARGET)
    using: str = param.gear("a thing that is made for this task", default="", fits=specialized, gm_only=False)
    sight: bool = param.flag("it is done by sight", gm_only=False)
    pressure: bool = param.flag("it tends a patient in a critical moment, as in a fight (Medical)", gm_only=False)
    informed: bool = param.flag(INFORMED_HELP, gm_only=False)
    at_cost: str = param.words(
        "what success costs, if the task fails and the GM lets it succeed after all", default="", gm_only=True
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(turns.take_action)

    def resolve(self, table: Table) -> None:
        """A task takes the turn's action; a failure may become success at a cost (R0.18)."""
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        goal = d20.target_number(table, self.target, LADDER)
        terms = task_terms(table, who, self.topic, self.bonus, informed=self.informed)
        if self.pressure:
            if table.encounter is None or who.id not in table.encounter.order:
                require.ruling(table, "pressure", f"{who.name} is in a fight")
            terms = (*terms, *role_terms(who, "pressure", Settings.of(table)))
        with TaskRolls(table) as rolls:
            kinds = ("check", "sight") if self.sight else ("check",)
            ease = tool_ease(table, who, self.using, self.topic)
            roll = self.roll_task(rolls, who, self.ability, *kinds, purpose="check", terms=terms, ease=ease)
        check, against = f"{self.ability.upper()} {self.topic or 'check'}", self.target if self.target in LADDER else ""
        success = roll.total >= goal
        outcome = f"success at a cost: {self.at_cost}" if self.at_cost and not success else ""
        success = success or bool(self.at_cost)
        d20.record_roll(table, check, roll, goal, success=success, outcome=outcome, against=against)


class Oppose(TaskAction, verb="opposed"):
    """Two try against one another: the higher total wins, then the higher modifier, else both roll again (R0.20)."""

    sentence = "contests {opponent}[ in {topic:key}]"
    typed_dice = (
        DiceStep(tests={"a d20 for each of the two, and again while they are level": "opposed"}, ties=("opposed",)),
    )

    who: str = param.character("who tries", actor=True)
    ability: str = param.choice("with which ability", ABILITIES)
    opponent: str = param.character("who is against it")
    opponent_ability: str = param.choice("with which ability the other resists", ABILITIES)
    topic: str = param.choice(
        "what it is about for the one, for the bonus of a role", TOPICS, default="", gm_only=False
    )
    opponent_topic: str = param.choice("what it is about for the other", TOPICS, default="", gm_only=False)
    opponent_bonus: tuple[str, ...] = param.names("further bonuses of the other", default=(), gm_only=True)
    informed: bool = param.flag(INFORMED_HELP, gm_only=False)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(turns.take_action)

    def resolve(self, table: Table) -> None:
        require.other_opponent(table, self.who, self.opponent)
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        other = require.living(table, self.opponent)
        terms = task_terms(table, who, self.topic, self.bonus, informed=self.informed, against=other.id)
        against = task_terms(table, other, self.opponent_topic, self.opponent_bonus)
        with TaskRolls(table) as rolls:
            mine = partial(self.roll_task, rolls, who, self.ability, "check", purpose="opposed", terms=terms)
            ability = self.opponent_ability
            theirs = partial(rolls.task, other, ability, kinds=("check",), purpose="opposed", terms=against)
            won, one, two = d20.opposed_roll(mine, theirs)
        check, outcome = f"{self.ability.upper()} against {self.opponent_ability.upper()}", "wins" if won else "loses"
        d20.record_roll(table, check, one, two.total, success=won, outcome=outcome, against=other.id)
