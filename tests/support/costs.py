"""Costs of tests: ``pytest -n 0 -m "slow or not slow" --measure-costs FILE`` writes a line of JSON for each test.

A cost is seconds of the processor, those of its children too, and seconds in which the test waited for something other than the
processor, so that it comes out the same on a busy machine. What is made once for several tests (a fixture of a module or of the
session) is shared out among those that use it. ``tests.support.costs_table`` makes the table.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Generator
from operator import add, sub
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.support.processes import COPIED

STARTING = frozenset(
    ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.exec", COPIED)
)
"""Audit events of Python when a process is started."""


class Processes:
    """Counts the processes that this one starts."""

    def __init__(self) -> None:
        self.started = 0
        sys.addaudithook(self._heard)

    def _heard(self, event: str, _: object) -> None:
        if event in STARTING and not (event == "os.posix_spawn" and _asked_for_by("subprocess")):
            self.started += 1


def _asked_for_by(module: str) -> bool:
    """True if a function of this module makes the audit event: ``subprocess`` has told its own before it spawns."""
    return sys._getframe(2).f_globals.get("__name__") == module


PROCESSES = Processes()


SCHEDULED = Path("/proc/self/schedstat")
"""File in which Linux says for how long the main thread has run, and has waited to run."""


def awake() -> float:
    """Seconds in which the main thread ran, or could have; all seconds on other systems."""
    if not SCHEDULED.exists():
        return time.monotonic()
    ran, waited, _ = SCHEDULED.read_text(encoding="ascii").split()
    return (int(ran) + int(waited)) / 1e9


@attrs.frozen
class Cost:
    """Seconds of the processor, seconds of waiting for something else, and processes that were started."""

    used: float = 0.0
    of_children: float = 0.0
    slept: float = 0.0
    processes: int = 0

    @classmethod
    def so_far(cls) -> Cost:
        """All that this process and its children that have ended used until now."""
        used = os.times()
        children = used.children_user + used.children_system
        return cls(time.process_time(), children, time.monotonic() - awake(), PROCESSES.started)

    @property
    def seconds(self) -> float:
        """The cost in one number: a test waits for what its processes use."""
        return self.used + max(self.of_children, self.slept, 0.0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(*map(add, attrs.astuple(self), attrs.astuple(other)))

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*map(sub, attrs.astuple(self), attrs.astuple(other)))


class Meter:
    """Measures tests and shared fixtures, and writes what they cost at the end of the session."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tests: dict[pytest.Item, Cost] = {}
        self._shared: dict[tuple[str, str], Cost] = {}
        self._apart = Cost()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """A shared fixture, without those that it uses itself."""
        if fixturedef.scope == "function":
            return (yield)
        begun, apart = Cost.so_far(), self._apart
        try:
            return (yield)
        finally:
            whole = Cost.so_far() - begun
            place = (fixturedef.baseid, fixturedef.argname)
            self._shared[place] = self._shared.get(place, Cost()) + whole - (self._apart - apart)
            self._apart = apart + whole

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """A test, without the shared fixtures that are made for it."""
        begun, self._apart = Cost.so_far(), Cost()
        try:
            return (yield)
        finally:
            self._tests[item] = Cost.so_far() - begun - self._apart

    def pytest_sessionfinish(self) -> None:
        """Share out, and write."""
        uses = {item: [place for place in self._shared if _uses(item, *place)] for item in self._tests}
        users = Counter(place for places in uses.values() for place in places)
        with self._path.open("a", encoding="utf-8") as out:
            for item, own in self._tests.items():
                shared = sum(self._shared[place].seconds / users[place] for place in uses[item])
                started = own.processes + sum(self._shared[place].processes for place in uses[item])
                line = {"test": item.nodeid, "seconds": round(own.seconds + shared, 4), "processes": started}
                out.write(json.dumps(line) + "\n")


def _uses(item: pytest.Item, base: str, fixture: str) -> bool:
    return item.nodeid.startswith(base) and fixture in getattr(item, "fixturenames", ())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--measure-costs", metavar="FILE", help="write what each test costs to FILE; needs -n 0")


def pytest_configure(config: pytest.Config) -> None:
    """Measure, if that option is given."""
    if config.getoption("measure_costs"):
        config.pluginmanager.register(Meter(Path(config.getoption("measure_costs"))))
