"""Looking back in a long campaign against a short one: real commands, each a whole process, in CPU seconds."""

from __future__ import annotations

import os
import pty
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.long_fight import EVENTS_PER_BLOW, written
from benchmarks.measures import ROOT, Row, Scale, in_turn, milliseconds
from rollbook.rulesets import storytoken

PROGRAM = """
import sys, rollbook
code = rollbook.main()
from benchmarks.memory import peak_kilobytes
print(peak_kilobytes(), file=sys.stderr)
sys.exit(code)
"""
START = ("-c", PROGRAM)
"""The command line, which says at last how many kilobytes it needed."""
UNDO = ("undo", "--yes", "--why", "a mistake")
SHORT = 1_000
LONG = 100_000
SCREEN = {"TERM": "xterm", "LINES": "24", "COLUMNS": "80", "PAGER": "head -n 23"}
"""A terminal of 24 lines, and a pager that ends after the first screen."""


def looking_back(folder: Path, scale: Scale) -> Iterator[Row]:
    """Measure looks at the recent past, which must not cost what the whole campaign costs."""
    stores = [folder / "long-past.db", folder / "short-past.db"]
    for store, events in zip(stores, (LONG, SHORT), strict=True):
        written(store, events, storytoken.RULESET)
        _command(store, "log", "-n", "1")
    measured: tuple[tuple[str, float, Callable[[Path], object]], ...] = (
        ("undo of the last action", 1.3, lambda store: _command(store, *UNDO)),
        ("sheet --at #8", 1.2, lambda store: _command(store, "sheet", "robin", "--at", "#8")),
        ("first screen of log", 1.3, _first_screen),
        ("replay of 40 actions, printed", 1.4, _replayed),
    )
    for name, bound, command in measured:
        works = [partial(command, store) for store in stores]
        in_turn(1, *works)  # which only warms the caches
        many, few = in_turn(scale.processes, *works)
        yield Row(
            name=f"{name}, whole process: at {LONG:,} / at {SHORT:,} events",
            ours=milliseconds(many),
            other=milliseconds(few),
            ratio=statistics.median(many) / statistics.median(few),
            bound=bound,
            at_least=False,
        )
    most, least = (int(_command(store, *UNDO).split()[-1]) for store in stores)
    yield Row.of_memory(
        f"undo of the last action, peak memory: at {LONG:,} / at {SHORT:,} events", most, least, at_most=1.2
    )


def _environment(store: Path) -> dict[str, str]:
    kept = {name: str(store.with_name(name.lower())) for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return {**os.environ, "PYTHONPATH": str(ROOT), **kept}


def _command(store: Path, *words: str) -> str:
    """Run a command; returns what it says beside its answer."""
    done = subprocess.run(
        [sys.executable, *START, *words, "--store", str(store)],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=_environment(store),
    )
    return done.stderr


def _replayed(store: Path) -> None:
    """Forty actions late in the campaign, as they would be watched."""
    first = (LONG if store.name.startswith("long") else SHORT) // EVENTS_PER_BLOW * 3 // 4
    _command(store, "replay", f"{first}-{first + 40}")


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
