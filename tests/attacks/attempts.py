"""One attack after the other, and what got through: errors that are not ours, raw words of libraries, and endless work."""

from __future__ import annotations

import re
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import attrs
import click

from rollbook.adapters.cli.errors import ScriptError, message_of
from rollbook.domain.base.errors import RollbookError

SECONDS = 10.0
"""No single case takes longer."""

OURS = (RollbookError, ScriptError, click.ClickException)

RAW = re.compile(
    r"Traceback|Something inside|Expecting|delimiter|codec can|Errno|JSON ?Decode|msgspec|sqlite3?\.|OperationalError"
    r"|<[\w.]+ object at 0x|integer string conversion|malformed JSON|JSON is malformed|no such (table|column)"
    r"|fts5|unrecognized token|datatype mismatch|not a database \(|NoneType|\bint\(\)|embedded null",
    re.IGNORECASE,
)
"""Words of libraries, which nobody at a table can use."""


class TooLong(BaseException):
    """A case took longer than any may; no ``except Exception`` swallows it."""


@attrs.frozen
class Fault:
    """What got through: its ``kind`` is the same for the same fault, ``case`` is the first that showed it."""

    kind: str
    case: str
    trace: str


@attrs.define
class Attempts:
    """The rounds of an attack so far: how many went through, were refused, and what got through that must not.

    ``said`` is what the last refusal said.
    """

    seconds: float = SECONDS
    rounds: int = 0
    refused: int = 0
    slowest: float = 0.0
    said: str = ""
    faults: dict[str, Fault] = attrs.field(factory=dict)

    def attempt(self, case: str, act: Callable[[], object]) -> bool:
        """Do one thing. Whether it was done; if it was not, it was refused, or a fault is noted."""
        self.rounds += 1
        began = time.monotonic()
        try:
            with time_limit(self.seconds):
                act()
        except TooLong as endless:
            self.note("takes too long", case, endless)
        except OURS as refusal:
            self.refused += 1
            self.said = message_of(refusal)
            if RAW.search(self.said.replace(case, "")) or not self.said.strip():
                self.note(f"raw words: {self.said[:60]!r}", case, refusal)
        except Exception as fault:  # noqa: BLE001 - this is what is looked for
            self.note(f"{type(fault).__name__} {_place(fault)}", case, fault)
        else:
            return True
        finally:
            self.slowest = max(self.slowest, time.monotonic() - began)
        return False

    def note(self, kind: str, case: str, fault: BaseException | None = None) -> None:
        """Keep the first case of each kind of fault."""
        trace = "".join(traceback.format_exception(fault)) if fault else ""
        self.faults.setdefault(kind, Fault(kind, case, trace))

    def report(self) -> str:
        """What to print at the end."""
        slow = f"the slowest took {self.slowest:.2f} s"
        said = [f"{self.rounds:,} rounds, {self.refused:,} refused, {len(self.faults)} faults; {slow}"]
        said += [f"\n{fault.kind}\n  {fault.case[:400]!r}\n{fault.trace[-1500:]}" for fault in self.faults.values()]
        return "\n".join(said)


def _place(fault: BaseException) -> str:
    """Where in our own code an error came from."""
    ours = [frame for frame in traceback.extract_tb(fault.__traceback__) if "site-packages" not in frame.filename]
    return f"{ours[-1].filename.rpartition('/')[2]}:{ours[-1].name}" if ours else ""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooLong in a block that needs more seconds of a processor, or waits for ten times as long.

    How busy the computer is with other things does not count. Only the main thread of a process can be interrupted so.
    """

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TooLong(f"not done after {seconds} seconds")

    timers = {signal.ITIMER_PROF: (signal.SIGPROF, seconds), signal.ITIMER_REAL: (signal.SIGALRM, 10 * seconds)}
    before = {number: signal.signal(number, stop) for number, _ in timers.values()}
    for timer, (_, limit) in timers.items():
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
