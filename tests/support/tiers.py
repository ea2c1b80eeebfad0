"""Markers by cost: a test gets one from what it uses and from tests/costs.txt (a pytest plug-in). ``slow`` is on the test itself.

``server`` is what has PostgreSQL or several nodes, ``browser`` what opens one. A test that is ``fast`` starts no process, else it
fails. A test may have its marker on itself; that counts before anything else.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.support.costs import PROCESSES
from tests.support.costs_table import FAST, OTHER, PROCESS, name_of, table

BROWSER, SERVER, SLOW = "browser", "server", "slow"
TIERS = (FAST, PROCESS, BROWSER, SERVER, SLOW)
FIXTURES = {"postgres_server": SERVER, "a_browser": BROWSER}
"""Fixtures that say what a test is."""
SUPPORT = {"tests.support.postgres": SERVER, "tests.support.hosting": SERVER, "tests.support.pages": BROWSER}
SUPPORT |= {"tests.support.browser": BROWSER}
"""Modules that say what the processes of a test are, if it starts any."""


def tier_of(item: pytest.Item) -> str:
    """The marker of a test, "" for none: it takes longer than a fast one and starts no process, or was not measured yet."""
    own = _markers(item)
    for tier in reversed(TIERS):
        if tier in own:
            return tier
    for fixture, tier in FIXTURES.items():
        if fixture in getattr(item, "fixturenames", ()):
            return tier
    file, test = name_of(item.nodeid)
    measured = table().get(file)
    marker = measured.marker_of(test) if measured else OTHER
    return _kind_of_process(item) if marker == PROCESS else marker.replace(OTHER, "")


def _markers(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()}


def _kind_of_process(item: pytest.Item) -> str:
    """Kind of a test's processes, by the modules from which its file has something."""
    values = vars(getattr(item, "module", item)).values()
    homes = {getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in values}
    named = (tier for module, tier in SUPPORT.items() if any(str(home).startswith(module) for home in homes))
    return next(named, PROCESS)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test its marker, before ``-m`` chooses among them."""
    for item in items:
        if (tier := tier_of(item)) and tier not in _markers(item):
            item.add_marker(tier)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a fast test that starts a process."""
    started = PROCESSES.started
    result = yield
    if PROCESSES.started > started and item.get_closest_marker(FAST):
        pytest.fail("This test is fast and starts a process. Mark it with @pytest.mark.process, or measure it again.")
    return result
