"""Looking back in a long campaign against a short one: real commands, each a whole process, in CPU seconds."""

from __future__ import annotations

import os
import pty
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.long_fight import written
from benchmarks.measures import ROOT, Row, Scale, milliseconds
from ruleset_plugins import storytoken

START = ("-c", "import sys, rollbook; sys.exit(rollbook.main())")
SHORT = 1_000
LONG = 100_000
SCREEN = {"TERM": "xterm", "LINES": "24", "COLUMNS": "80", "PAGER": "head -n 23"}
"""A terminal of 24 lines, and a pager of which somebody sees the first screen and has read enough."""


def looking_back(folder: Path, scale: Scale) -> Iterator[Row]:
    """What looks back a little must not cost what the whole campaign costs."""
    stores = [folder / "long-past.db", folder / "short-past.db"]
    for store, events in zip(stores, (LONG, SHORT), strict=True):
        written(store, events, storytoken.RULESET)
        _command(store, "log", "-n", "1")
    measured: tuple[tuple[str, float, Callable[[Path], None]], ...] = (
        ("undo of the last action", 1.3, lambda store: _command(store, "undo", "--yes", "--why", "a mistake")),
        ("sheet --at #8", 1.2, lambda store: _command(store, "sheet", "robin", "--at", "#8")),
        ("first screen of log", 1.3, _first_screen),
    )
    for name, bound, command in measured:
        many, few = _taking_turns(scale.processes, [partial(command, store) for store in stores])
        yield Row(
            name=f"{name}, whole process: at {LONG:,} / at {SHORT:,} events",
            ours=milliseconds(many),
            other=milliseconds(few),
            ratio=statistics.median(many) / statistics.median(few),
            bound=bound,
            at_least=False,
        )


def _taking_turns(rounds: int, works: Sequence[Callable[[], None]]) -> list[list[float]]:
    """The CPU seconds of the processes that each starts, round by round; the first round only warms the caches."""
    times = [[_child_seconds(work) for work in works] for _ in range(rounds + 1)][1:]
    return [list(column) for column in zip(*times, strict=True)]


def _child_seconds(work: Callable[[], None]) -> float:
    """The CPU seconds of the processes that the work starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(store: Path) -> dict[str, str]:
    kept = {name: str(store.with_name(name.lower())) for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return {**os.environ, "PYTHONPATH": str(ROOT), **kept}


def _command(store: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, *START, *words, "--store", str(store)],
        check=True,
        capture_output=True,
        cwd=ROOT,
        env=_environment(store),
    )


def _first_screen(store: Path) -> None:
    """``log`` at a terminal, up to where its first screen has been read."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(ROOT)
        os.execve(
            sys.executable, [sys.executable, *START, "log", "--store", str(store)], {**_environment(store), **SCREEN}
        )
    shown = b""
    while more := _read(terminal):
        shown += more
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    if status or shown.count(b"\n") < int(SCREEN["LINES"]) - 1:
        raise RuntimeError(f"the log was not shown: {shown.decode(errors='replace')}")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""
