"""Progress bars for what takes a while: on a terminal only, and only once it has taken longer than a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from rich.progress import BarColumn, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from rollbook.domain.base.progress import Progress

DELAY = 0.4
"""Seconds before progress is shown."""


class RateColumn(ProgressColumn):
    """Column with the rate per second, once that is known."""

    def render(self, task: Task) -> Text:
        """``4,210/s``."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed else "", "progress.data.speed")


@contextmanager
def bar(console: Console, what: str) -> Iterator[Progress]:
    """Show a bar with the rate and the time left, once the total is known; it disappears when the work is over."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), RateColumn(), TimeRemainingColumn())
    shown = Bar(*columns, console=console, transient=True)
    task = shown.add_task(what, total=None)
    with _delayed(shown):
        yield lambda done, total: shown.update(task, completed=done, total=total)


@contextmanager
def _delayed(shown: Bar) -> Iterator[None]:
    """Show the bar while the work inside goes on, unless that is over in a moment."""
    lock = Lock()
    over = False

    def begin() -> None:
        with lock:
            if not over:
                shown.start()

    timer = Timer(DELAY, begin)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            over = True
        shown.stop()
