"""Progress bars for what takes a while: on a terminal only, and only once it has taken longer than a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
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
def bar(console: Console, what: str, *, once_told: bool = False) -> Iterator[Progress]:
    """Show a bar with the rate and the time left, once the total is known; it disappears when the work is over.

    ``once_told``: the moment begins when the work first says that something is left to do.
    """
    delayed = _Delayed(console, what)
    if not once_told:
        delayed.wait()
    try:
        yield delayed.update
    finally:
        delayed.end()


class _Delayed:
    """A bar that is made once the work has taken longer than a moment."""

    def __init__(self, console: Console, what: str) -> None:
        self._console = console
        self._what = what
        self._lock = Lock()
        self._is_over = False
        self._timer: Timer | None = None
        self._far: tuple[int, int | None] = 0, None
        self._shown: tuple[Bar, TaskID] | None = None

    def wait(self) -> None:
        """Show the bar in a moment."""
        self._timer = Timer(DELAY, self.begin)
        self._timer.daemon = True
        self._timer.start()

    def begin(self) -> None:
        """Show the bar, unless the work is over."""
        with self._lock:
            if not self._is_over:
                done, total = self._far
                columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), RateColumn())
                bar = Bar(*columns, TimeRemainingColumn(), console=self._console, transient=True)
                self._shown = bar, bar.add_task(self._what, total=total, completed=done)
                bar.start()

    def update(self, done: int, total: int) -> None:
        """Note how much is done, of how much."""
        self._far = done, total
        if self._timer is None and done < total:
            self.wait()
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=done, total=total)

    def end(self) -> None:
        """Remove the bar: the work is over."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._is_over = True
        if self._shown is not None:
            self._shown[0].stop()
