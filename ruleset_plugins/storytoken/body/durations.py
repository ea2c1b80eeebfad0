"""How long tasks take outside a fight, and how long conditions last (R0.24–R0.30, Q0.20)."""

from rollbook.kit import clock, data
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.abilities import bonus, score
from rollbook.rulesets.storytoken.settings import Settings


class Duration(data.Row):
    """A row of the table of tasks: what can be done in such a time."""

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
    return conditions.UNITS[unit] or settings.round_seconds


def rounds_from_now(table: Table, who: Character, rounds: int) -> int:
    """The clock second after so many rounds, counted from the next one for those who have had a turn in this (Q0.29)."""
    encounter = table.encounter
    has_acted = encounter is not None and who.id in encounter.acted and who.id != encounter.current
    return table.clock + (rounds + has_acted) * Settings.of(table).round_seconds


def _span(who: Character, ability: str, settings: Settings) -> int:
    """An ability as a count of rounds, hours or days: the score, or the modifier."""
    return score(who, ability) if settings.condition_span == "score" else bonus(who, ability)


def stage_seconds(who: Character, stage: conditions.Stage, settings: Settings) -> int:
    """The length of a stage in seconds."""
    return stage.times * max(_span(who, stage.ability, settings), 1) * unit_seconds(stage.unit, settings)


def fading_seconds(who: Character, fading: conditions.Fading, unit: str, settings: Settings) -> int:
    """The seconds until it fades, at least one unit."""
    return max(fading.most - _span(who, fading.ability, settings), 1) * unit_seconds(unit, settings)
