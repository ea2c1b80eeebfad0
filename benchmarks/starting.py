"""Costs of a command before and beside its work: whole processes, and lines typed at a prompt that is open.

A process is measured in seconds of the processor, its own and the system's, against another process right before it: that
is what can be compared where others use the machine too. A line is measured by the clock, from Enter to the next prompt.
"""

from __future__ import annotations

import os
import pty
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.games import campaign_of, close
from benchmarks.measures import ROOT, Row, Scale, milliseconds, processor_seconds
from rollbook.application.campaign import Campaign

IMPORTS = ("-c", "import click, rich, sqlite3, attrs, msgspec")
ROLLBOOK = ("-c", "import sys, rollbook; sys.exit(rollbook.main())")
PEOPLE = (
    "bring-in robin-hood --id hood",
    "join Sheriff --kind npc --hp 100000 --ac 15",
    "close-session",
    "open-session",
)
ATTACK = "attack hood sheriff medium-ranged --distance 40"
COMMANDS = ((("do", *ATTACK.split()), 2.8), (("log",), 3.0), (("sheet",), 3.0), (("sheet", "hood"), 3.0))
"""Commands, and how many times the imports each may cost."""
ACTIONS_OF_A_SESSION, ACTIONS_OF_THE_CAMPAIGN = 50, 1_000
LINES_TYPED = 10
PROMPT = re.compile(rb"\n[^\n]*> (?:\x1b\[[0-9;?]*[a-zA-Z])*$")
LONGEST_LINE = 0.005
"""Seconds from Enter to the next prompt."""


def home(folder: Path) -> dict[str, str]:
    """The environment of a user whose files are in a folder, and who has the code of this tree."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("ROLLBOOK", "PYTHONDONTWRITE"))}
    places = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("STATE", "DATA", "CONFIG", "CACHE")}
    return {**kept, **places, "PYTHONPATH": str(ROOT)}


def used_by(words: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """Processor seconds of a run of Python."""
    before = processor_seconds()
    subprocess.run([sys.executable, *words], check=True, capture_output=True, cwd=ROOT, env=environment)
    return processor_seconds() - before


def two_who_fight(store: Path, events: int) -> Campaign:
    """A campaign of storytoken with a session that has committed dice, in which two people fight."""
    return campaign_of("storytoken", store, events, PEOPLE, store.parent / "state" / "rollbook" / "seeds")


def starting(folder: Path, scale: Scale) -> Iterator[Row]:
    """Whole processes: an attack with dice from the stream, the log and the sheets, against the import of the libraries.

    The campaign is one session long, so that it is the start that is measured.
    """
    store, environment = folder / "start.db", home(folder)
    close(two_who_fight(store, 5 * ACTIONS_OF_A_SESSION))
    for words, bound in COMMANDS:
        command = (*ROLLBOOK, *words, "--store", str(store))
        used_by(command, environment)
        used_by(IMPORTS, environment)
        times = [(used_by(command, environment), used_by(IMPORTS, environment)) for _ in range(2 * scale.processes + 1)]
        yield Row(
            name=f"rollbook {' '.join(words[:2])}, processor seconds / python -c {IMPORTS[1]!r}",
            ours=milliseconds([ours for ours, _ in times]),
            other=milliseconds([theirs for _, theirs in times]),
            ratio=statistics.median(ours / theirs for ours, theirs in times),
            bound=bound,
            at_least=False,
        )


class Typist:
    """A user at a prompt that is open, at a terminal."""

    def __init__(self, store: Path, environment: Mapping[str, str]) -> None:
        self._screen, terminal = pty.openpty()
        command = [sys.executable, *ROLLBOOK, "play", "--store", str(store)]
        streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
        self._process = subprocess.Popen(command, env={**environment, "TERM": "xterm"}, cwd=ROOT, **streams)  # type: ignore[call-overload]
        os.close(terminal)
        self._until_asked()

    def type(self, line: str) -> float:
        """Seconds from Enter to the next prompt, after all that was printed."""
        began = time.perf_counter()
        os.write(self._screen, f"{line}\n".encode())
        self._until_asked()
        return time.perf_counter() - began

    def leave(self) -> None:
        """Go."""
        os.write(self._screen, b"quit\n")
        self._process.wait()
        os.close(self._screen)

    def _until_asked(self) -> None:
        shown = b"\n"
        while not PROMPT.search(shown):
            shown += os.read(self._screen, 65536)


def typing(folder: Path, scale: Scale) -> Iterator[Row]:
    """A line at the prompt, from Enter to the next prompt: in a campaign of 1,000 actions, and in one of 100,000 events."""
    short, long = folder / "short" / "rollbook.db", folder / "long" / "rollbook.db"
    events = min(100_000, scale.events)
    for store, many in ((short, 5 * ACTIONS_OF_THE_CAMPAIGN), (long, events)):
        store.parent.mkdir()
        close(two_who_fight(store, many))
    typists = [Typist(store, home(store.parent)) for store in (long, short)]
    for typist in typists:
        typist.type(ATTACK)
    times = [[typist.type(ATTACK) for typist in typists] for _ in range(LINES_TYPED * scale.rounds)]
    for typist in typists:
        typist.leave()
    many_events, few = (list(column) for column in zip(*times, strict=True))
    yield Row(
        name=f"a line at the prompt, from Enter to the next prompt, {ACTIONS_OF_THE_CAMPAIGN:,} actions / 5 ms",
        ours=milliseconds(few),
        other=milliseconds([LONGEST_LINE]),
        ratio=statistics.median(few) / LONGEST_LINE,
        bound=1,
        at_least=False,
    )
    yield Row(
        name=f"a line at the prompt: at {events:,} / at {5 * ACTIONS_OF_THE_CAMPAIGN:,} events",
        ours=milliseconds(many_events),
        other=milliseconds(few),
        ratio=statistics.median(many_events) / statistics.median(few),
        bound=1.2,
        at_least=False,
    )
