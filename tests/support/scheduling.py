"""Schedule of tests: in which process, in what order: the dearest files first, each whole, as tests share fixtures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.support.costs_table import UNKNOWN, table

if TYPE_CHECKING:
    from xdist.remote import Producer

GROUPS = {
    "tests/hosting/test_unit_runs.py": "wheels",
    "tests/test_front_door.py": "wheels",
    "tests/test_sixth_game.py": "wheels",
    "tests/test_typing.py": "wheels",
    "tests/test_pages_for_authors.py": "wheels",
    "tests/adapters/cli/test_progress.py": "a long campaign",
    "tests/ruleset_plugins/test_coverage.py": "proofs",
    "tests/ruleset_plugins/test_docs.py": "proofs",
}
"""Files whose tests run in one process, because they share what takes long to make. They begin first."""
LONG = 30.0
"""Seconds above which a file is too dear for one process: the others would wait for it at the end."""
MEASURED = ("fast", "not slow")
"""The choices of tests for which the table says what a file costs."""


def group_of(nodeid: str, *, by_file: bool = True) -> str:
    """The tests with which a test shares a process: those of its group or file, else none."""
    file = nodeid.partition("::")[0]
    cost = table().get(file)
    is_whole = by_file and cost is not None and cost.seconds <= LONG
    return GROUPS.get(file, file if is_whole else nodeid)


class Groups(LoadScopeScheduling):
    """Every group of tests goes to a process that is free.

    Groups go by file, because the marks of pytest-xdist 3.8 do nothing under pytest 9.2.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        self._by_file = config.getoption("markexpr") in MEASURED

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid, by_file=self._by_file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are processors: many tests wait for programs that they start."""
    return max(2, len(os.sched_getaffinity(0)) * 3 // 2) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Schedule by groups, in the order of the tests."""
    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False
    return Groups(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort the tests, the dearest first, where several processes run them, so that all end at about the same time."""
    if hasattr(config, "workerinput"):
        items.sort(key=_urgency)


def _urgency(item: pytest.Item) -> tuple[bool, float]:
    file = item.nodeid.partition("::")[0]
    cost = table().get(file)
    return file not in GROUPS, -(cost.seconds if cost else UNKNOWN)
