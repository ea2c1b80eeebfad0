"""Conditions, their effects on rolls, speed and turns, and lengths of tasks (R0.24–R0.30, R0.63–R0.87, Q0.20).

``conditions.json`` has those that the rules list, ``states.json`` those that powers bring about.
"""

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from rollbook.kit import clock, d20, data
from rollbook.kit import conditions as kit
from rollbook.plugin import Action, Character, Condition, Table, Term, events, param
from rollbook.rulesets.storytoken.character.abilities import bonus, score
from rollbook.rulesets.storytoken.settings import Settings

Ability: TypeAlias = Literal["str", "dex", "con", "int", "wis", "cha"]


class RollKind(data.Frozen):
    """Rolls of a ``kind``, "task" for all, with an ``ability`` or with any; ``chosen`` is the one chosen with the heritage."""

    kind: Literal["task", "check", "save", "attack", "unarmed", "initiative", "sight"]
    ability: Ability | Literal[""] = ""
    chosen: bool = False

    def includes(self, ability: str, kinds: tuple[str, ...], *, chosen: str = "") -> bool:
        """Tell if a roll with this ability, of these kinds, is one of them."""
        wanted = chosen if self.chosen else self.ability
        return wanted in ("", ability) and (self.kind == "task" or self.kind in kinds)


UNCONSCIOUS, DEAD, SURPRISED, ARRIVING = kit.UNCONSCIOUS, kit.DEAD, kit.SURPRISED, kit.ARRIVING
begin, change, end, end_for_all, expire = kit.begin, kit.change, kit.end, kit.end_for_all, kit.expire
end_with_data, with_data = kit.end_with_data, kit.with_data
number, text = kit.number, kit.text
"""The kit's functions for conditions, under the same names."""

CONFUSED, HACKED, IMMOBILISED, OVERHEATED = "confused", "hacked", "immobilised", "overheated"
STUNNED, RAGING, RALLIED, HONOURED = "stunned", "raging", "rallied", "honoured"
INFORMED, EVASIVE, ATTACKING, FLYING = "informed", "evasive", "on-attack-course", "flying"
PROMISED, FORSWORN, EMBODIED, DORMANT = "promised", "forsworn", "embodied", "dormant"
SILVERED, RECHARGING, RECRUITED, TURNED = "silvered", "recharging", "recruited", "turned"
UNTURNABLE, IMPAIRED_ABILITY = "unturnable", "impaired-ability"
BLINDED, INVISIBLE, TRAVELLED, STONE = "blinded", "invisible", "travelled", "stone"

GRAPPLED, ENTHRALLED, WILLING = VICTIMS = ("grappled", "enthralled", "willing")
"""The conditions of characters on whom a vampire's bite feeds (R0.157)."""

OF_MANOEUVRES = (FLYING, EVASIVE, ATTACKING)
"""The conditions of a pilot and a ship in a fight (R0.172)."""

STRENGTH, ROUNDS, SEVERITY, STAGE, NUMBER = "strength", "rounds", "severity", "stage", "number"
"""Numbers in a condition's data: its bonus to a roll, the rounds that a wound leaves of it, the total that a save must
reach to break free, the number of its stages that are over, and its number among several of its kind.
"""

STATE, ENDS, SCENE, THING, DOES = "state", "ends", "scene", "thing", "does"
SHIP, COURSE, PILOT, ANCHOR, PROMISE, ABOUT = "ship", "course", "pilot", "anchor", "promise", "about"
"""Other fields: the state of a condition with a name of its own, its end, the scene it lasts for, a hacked thing, the
sort of a confused turn, a ship, its course and pilot, a spirit's anchor, a promise, and an analysed character.
"""

LONG_REST = "long rest"
"""The value of the field ``ends`` for a condition that a long rest ends (Q0.76)."""

UNITS = {"rounds": 0, "minutes": 60, "hours": 3_600, "days": 86_400}
"""The lengths of the units of a condition, in seconds; 0 for rounds, whose length is a house rule."""


def impaired(ability: str) -> str:
    """The condition of an ability that is harder to use (R0.75)."""
    return f"impaired-{ability}"


def condition_words(condition: str) -> str:
    """The words for a condition after "is": "impaired in str", "promised" for the second promise, too."""
    if condition == STONE:
        return "turned to stone"
    return re.sub(r"-\d+$", "", condition).replace("impaired-", "impaired in ").replace("-", " ")


class Stage(data.Frozen):
    """A stage lasts ``times`` an ability score, in ``unit`` (Q0.20)."""

    ability: Ability
    unit: Literal["rounds", "minutes", "hours", "days"]
    times: int = 1


class Fading(data.Frozen):
    """A duration of ``most`` less an ability, in a unit that is named when it begins (R0.71)."""

    most: int
    ability: Ability


class State(data.Row):
    """A condition and its effects.

    ``advantage``, ``disadvantage`` and ``bonus`` are for some rolls; ``spared_when`` says when the disadvantage does not
    apply. ``struck_at`` is the advantage or disadvantage of attacks on the character. ``unable`` says what would help
    those who can take no actions; ``no_turn`` keeps them out of rounds, and one who ``flees`` moves away from the
    source in every turn. ``every`` round or day there is ``damage``, or a point of the ability that it ``drains``.
    ``stages`` end in 0 hit points and then in death. A ``bodily`` condition ends with a spirit's conjured body.
    """

    name: str
    rule: str
    words: str
    advantage: tuple[RollKind, ...] = ()
    disadvantage: tuple[RollKind, ...] = ()
    spared_when: str = ""
    struck_at: Literal["", "advantage", "disadvantage"] = ""
    bonus: tuple[RollKind, ...] = ()
    unable: str = ""
    may_move: bool = False
    flees: bool = False
    no_turn: bool = False
    silent: bool = False
    speed: Literal["", "none", "half"] = ""
    heals: bool = True
    magic_proof: bool = False
    halves_blows: bool = False
    every: Literal["", "round", "minute", "day"] = ""
    damage: str = ""
    tags: tuple[str, ...] = ()
    drains: str = ""
    sun: bool = False
    put_out: bool = False
    escape: str = ""
    each_turn: str = ""
    of_ability: bool = False
    given: bool = False
    bodily: bool = False
    fades: Fading | None = None
    stages: tuple[Stage, ...] = ()


LISTED = data.load(__package__, "conditions.json", State)
CONDITIONS = {state.key: state for state in (*LISTED, *data.load(__package__, "states.json", State))}
AFFLICTIONS = {key: state for key, state in CONDITIONS.items() if state in LISTED or state.given}
"""The conditions of the verb afflict: those that the rules list, and being in the sun."""

SITUATIONAL = tuple(state.key for state in LISTED if state.spared_when)
SPARED = "; ".join(f"{key} ({CONDITIONS[key].spared_when})" for key in SITUATIONAL)

UNABLE = {
    kit.UNCONSCIOUS: "Rest, care or another character's story token brings {name} round.",
    **{state.key: state.unable for state in CONDITIONS.values() if state.unable and not state.may_move},
}
"""Conditions in which a character cannot act, each with the words for what would help."""

NO_ACTIONS = {state.key: state.unable for state in CONDITIONS.values() if state.unable and state.may_move}
NO_TURN = tuple(state.key for state in CONDITIONS.values() if state.no_turn)


def states_of(who: Character) -> Iterator[tuple[State, Condition]]:
    """A character's conditions that this game knows, in order, with their rules; of a promise a field has the state."""
    for name, condition in who.conditions.items():
        state = CONDITIONS.get(name) or CONDITIONS.get(kit.text(condition, STATE))
        if state is not None:
            yield state, condition


def promises_of(who: Character) -> list[Condition]:
    """The promises that bind a character, in the order in which they were given (R0.147)."""
    return [condition for state, condition in states_of(who) if state.key == PROMISED]


def ease_of(who: Character, ability: str, kinds: tuple[str, ...], spared: tuple[str, ...] = ()) -> d20.Advantage:
    """Advantage and disadvantage from conditions on a roll of these kinds; ``spared`` conditions do not count now."""
    if not who.conditions:
        return d20.NO_ADVANTAGE
    helping, hindering = [], []
    for state, _ in states_of(who):
        if state.spared_when and state.key in spared:
            continue
        if any(rolls.includes(ability, kinds) for rolls in state.advantage):
            helping.append(state.name.lower())
        if any(rolls.includes(ability, kinds) for rolls in state.disadvantage):
            hindering.append(state.name.lower())
    if who.has(impaired(ability)):
        hindering.append(f"impaired {ability.upper()}")
    return d20.Advantage(tuple(helping), tuple(hindering))


def ease_against(target: Character) -> d20.Advantage:
    """Advantage and disadvantage on an attack from the conditions of its target (R0.78, R0.84, Q0.32)."""
    if not target.conditions:
        return d20.NO_ADVANTAGE
    found = [(state.struck_at, f"{state.name.lower()} target") for state, _ in states_of(target) if state.struck_at]
    return d20.Advantage(
        tuple(reason for what, reason in found if what == "advantage"),
        tuple(reason for what, reason in found if what == "disadvantage"),
    )


def bonus_terms(who: Character, kinds: tuple[str, ...]) -> tuple[Term, ...]:
    """The terms that conditions add to a roll, such as a rally (R0.167)."""
    if not who.conditions:
        return ()
    return tuple(
        Term(kit.number(condition, STRENGTH), state.name.lower(), state.rule, f"condition.{state.key}")
        for state, condition in states_of(who)
        if any(rolls.includes("", kinds) for rolls in state.bonus)
    )


def heals(who: Character) -> bool:
    """Tell if nature and magic can heal a character (R0.66)."""
    return all(state.heals for state, _ in states_of(who))


def is_magic_proof(who: Character) -> bool:
    """Tell if magic does nothing to a character (R0.87)."""
    return any(state.magic_proof for state, _ in states_of(who))


def is_silent(who: Character) -> bool:
    """Tell if a character cannot speak (R0.80, R0.82)."""
    return any(state.silent for state, _ in states_of(who))


def end_manoeuvre(table: Table, pilot: str) -> None:
    """End a pilot's manoeuvre, and its effect on the ship if this pilot brought it about."""
    flying = table.character(pilot).conditions.get(FLYING)
    if flying is None:
        return
    kit.end(table, pilot, FLYING)
    ship = kit.text(flying, SHIP)
    if table.knows(ship):
        course = table.character(ship).conditions.get(kit.text(flying, COURSE))
        if kit.text(course, PILOT) == pilot:
            kit.end(table, ship, kit.text(flying, COURSE))


class Duration(data.Row):
    """A row of the table of tasks: a length of time, and tasks that take it."""

    name: str
    rule: str
    tasks: tuple[str, ...]


DURATIONS = data.by_key(__package__, "durations.json", Duration)
SECONDS = {"minute": clock.MINUTE, "hour": clock.HOUR, "day": clock.DAY, "month": 30 * clock.DAY}
EXAMPLES = "; ".join(f"{each.key}: {', '.join(each.tasks)}" for each in DURATIONS.values())


class TakeTime(Action, verb="take-time", gm_only=True):
    """Spend the time that a task takes: a round, a minute, an hour, a day or a month (R0.26–R0.30)."""

    sentence = "lets time pass for a task[: {task}]"
    typed_dice = clock.PASSING

    duration: str = param.choice(f"how long it takes, for example {EXAMPLES}", tuple(DURATIONS))
    task: str = param.words("what is done")
    times: int = param.number("how many of these", default=1, minimum=1, maximum=1_000)

    def resolve(self, table: Table) -> None:
        length = SECONDS.get(self.duration) or Settings.of(table).round_seconds
        table.record(events.NoteWritten(text=f"{DURATIONS[self.duration].name} x {self.times}: {self.task}"))
        clock.advance(table, self.times * length)


def unit_seconds(unit: str, settings: Settings) -> int:
    """The length of a unit in seconds."""
    return UNITS[unit] or settings.round_seconds


def rounds_from_now(table: Table, who: Character, rounds: int) -> int:
    """The clock second after so many rounds, counted from the next one after a turn in this one (Q0.29)."""
    encounter = table.encounter
    has_acted = encounter is not None and who.id in encounter.acted and who.id != encounter.current
    return table.clock + (rounds + has_acted) * Settings.of(table).round_seconds


def _span(who: Character, ability: str, settings: Settings) -> int:
    """An ability as a count of rounds, hours or days: the score, or the modifier."""
    return score(who, ability) if settings.condition_span == "score" else bonus(who, ability)


def stage_seconds(who: Character, stage: Stage, settings: Settings) -> int:
    """The length of a stage in seconds."""
    return stage.times * max(_span(who, stage.ability, settings), 1) * unit_seconds(stage.unit, settings)


def fading_seconds(who: Character, fading: Fading, unit: str, settings: Settings) -> int:
    """The seconds until it fades, at least one unit."""
    return max(fading.most - _span(who, fading.ability, settings), 1) * unit_seconds(unit, settings)
