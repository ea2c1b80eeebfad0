"""``pytest --last-skipped`` runs what the last run skipped, once what was missing is installed (a pytest plug-in)."""

from __future__ import annotations

from pathlib import Path

import pytest

PLACE = "rollbook/last-skipped"
"""Key of the ids in pytest's cache."""
EMPTY = "[NOTSET]"
"""End of the id of a test that pytest skips because it has no parameters."""


class Skipped:
    """Notes the ids of tests that are skipped, and of files that are skipped as a whole, and keeps them at the end."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self._ids.add(report.nodeid.removesuffix(EMPTY))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._ids.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        session.config.cache.set(PLACE, sorted(self._ids))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option to those of the cache."""
    parser.addoption("--last-skipped", action="store_true", help="run only the tests that the last run skipped")


def pytest_configure(config: pytest.Config) -> None:
    """Take notes in the process that hears of all tests, if there is a cache."""
    if not hasattr(config, "workerinput") and config.pluginmanager.has_plugin("cacheprovider"):
        config.pluginmanager.register(Skipped())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file of which nothing was skipped, if that option is given: reading all of them takes long."""
    if not config.getoption("last_skipped") or collection_path.suffix != ".py":
        return None
    files = {config.rootpath / named.partition("::")[0] for named in config.cache.get(PLACE, [])}
    return None if collection_path in files else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not skipped in the last run, if that option is given."""
    if not config.getoption("last_skipped"):
        return
    ids = set(config.cache.get(PLACE, []))
    wanted = [bool(ids & _names(item)) for item in items]
    config.hook.pytest_deselected(items=[item for item, is_wanted in zip(items, wanted, strict=True) if not is_wanted])
    items[:] = [item for item, is_wanted in zip(items, wanted, strict=True) if is_wanted]


def _names(item: pytest.Item) -> set[str]:
    """Under which ids a test may have been skipped: its own, the one without parameters, or its file's."""
    return {item.nodeid, item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]}
