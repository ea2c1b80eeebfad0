"""tests/costs.txt, made of measurements: ``python -m tests.support.costs_table FILE …`` writes it, and tests get markers from it.

A line is the seconds that a test file takes on one processor, a marker and the file. Tests of the file that cost otherwise follow
with a marker of their own. ``fast`` is a test of at most 50 ms that starts no process, ``process`` one that starts any, and ``-``
takes longer without one. What was not measured yet has no marker.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import attrs

TABLE = Path(__file__).parents[1] / "costs.txt"
FAST, PROCESS, OTHER = "fast", "process", "-"
QUICK = 0.05
"""Seconds of the processor that a fast test takes at most."""
UNKNOWN = 2.0
"""Seconds that a file is taken to cost which was not measured."""
HEADER = (
    "# seconds, marker and file, and tests with another marker: see tests/support/costs_table.py, which writes this\n"
)


@attrs.frozen
class FileCost:
    """Cost of a file's tests together, and the marker of each: ``marker``, or that in ``others`` by its name."""

    seconds: float
    marker: str
    others: Mapping[str, str]

    def marker_of(self, test: str) -> str:
        """The marker of a test, by its name without parameters."""
        return self.others.get(test, self.marker)


def name_of(nodeid: str) -> tuple[str, str]:
    """A test's file, and its name within it without parameters."""
    file, _, test = nodeid.partition("::")
    return file, test.partition("[")[0]


@cache
def table(path: Path = TABLE) -> Mapping[str, FileCost]:
    """The costs that were measured, by file."""
    found: dict[str, FileCost] = {}
    others: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            marker, *tests = line.split()
            others |= dict.fromkeys(tests, marker)
        elif line and not line.startswith("#"):
            seconds, marker, file = line.split(" ", 2)
            others = {}
            found[file] = FileCost(float(seconds), marker, others)
    return found


def written(measured: Mapping[str, FileCost]) -> Iterator[str]:
    """The table as lines."""
    yield HEADER
    for file, cost in sorted(measured.items()):
        yield f"{cost.seconds:.1f} {cost.marker} {file}\n"
        for marker in (FAST, PROCESS, OTHER):
            tests = sorted(test for test, other in cost.others.items() if other == marker)
            if tests:
                yield f"  {marker} {' '.join(tests)}\n"


def summed_up(lines: Iterable[str]) -> dict[str, FileCost]:
    """Sum up lines of JSON, the later of two about one test. The dearest parameters of a test decide its marker."""
    markers: defaultdict[str, dict[str, str]] = defaultdict(dict)
    seconds: Counter[str] = Counter()
    for found in {found["test"]: found for found in map(json.loads, lines)}.values():
        file, test = name_of(found["test"])
        marker = PROCESS if found["processes"] else FAST if found["seconds"] <= QUICK else OTHER
        dearer = max(marker, markers[file].get(test, FAST), key=(FAST, OTHER, PROCESS).index)
        markers[file][test] = dearer
        seconds[file] += found["seconds"]
    return {file: _of_file(seconds[file], tests) for file, tests in markers.items()}


def _of_file(seconds: float, tests: Mapping[str, str]) -> FileCost:
    ((usual, _),) = Counter(tests.values()).most_common(1)
    return FileCost(seconds, usual, {test: marker for test, marker in tests.items() if marker != usual})


if __name__ == "__main__":
    measurements = [line for path in sys.argv[1:] for line in Path(path).read_text(encoding="utf-8").splitlines()]
    known = {**table(), **summed_up(measurements)}
    there = {file: cost for file, cost in known.items() if (TABLE.parents[1] / file).exists()}
    TABLE.write_text("".join(written(there)), encoding="utf-8")
