"""How long things take outside a fight, and what can be done in that time (R0.24–R0.30)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import DAY, HOUR, MINUTE, Action, Table, choice, events, let_pass, load, number, words
from ruleset_plugins.storytoken.settings import house


@attrs.frozen(kw_only=True)
class Duration:
    """A row of the table of tasks: what can be done in such a time."""

    key: str
    name: str
    rule: str
    tasks: tuple[str, ...]


DURATIONS = {duration.key: duration for duration in load(__package__, "durations.json", Duration)}
SECONDS = {"minute": MINUTE, "hour": HOUR, "day": DAY, "month": 30 * DAY}
EXAMPLES = "; ".join(f"{each.key}: {', '.join(each.tasks)}" for each in DURATIONS.values())


@attrs.frozen(kw_only=True)
class TakeTime(Action):
    """Spend the time that a task takes: a round, a minute, an hour, a day or a month (R0.26–R0.30)."""

    verb: ClassVar[str] = "take-time"
    gm_only: ClassVar[bool] = True

    duration: str = choice(f"how long it takes, for example {EXAMPLES}", tuple(DURATIONS))
    task: str = words("what is done")
    times: int = number("how many of these", default=1, minimum=1, maximum=1_000)

    def resolve(self, table: Table) -> None:
        """The clock moves on, and does what time does."""
        length = SECONDS.get(self.duration) or house(table).round_seconds
        table.record(events.NoteWritten(text=f"{DURATIONS[self.duration].name} x {self.times}: {self.task}"))
        let_pass(table, self.times * length)
