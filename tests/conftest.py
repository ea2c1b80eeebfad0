"""What holds for every test: properties draw the same examples in every run, and no clock decides about them.

A test that is marked with a rule must have asserted something when it passes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.support import costs, last_skipped, tiers
from tests.support.clean_environment import ROOT, build_wheels
from tests.support.pages import a_browser
from tests.support.proofs import pytest_runtest_call

__all__ = ["a_browser", "pytest_runtest_call", "wheel"]

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer

os.environ["TZ"] = "UTC"  # a campaign begins in the time zone of its computer, and entries are compared byte for byte

PLUGINS = (last_skipped, costs, tiers)
"""What pytest is told besides the hooks of this file."""


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    for plugin in PLUGINS:
        pluginmanager.register(plugin)


settings.register_profile("rollbook", deadline=None, derandomize=True)
settings.load_profile("rollbook")


GROUPS = {
    "tests/hosting/test_unit_runs.py": "wheels",
    "tests/test_front_door.py": "wheels",
    "tests/test_sixth_game.py": "wheels",
    "tests/test_typing.py": "wheels",
    "tests/test_write_a_ruleset.py": "wheels",
    "tests/adapters/cli/test_progress.py": "a long campaign",
    "tests/ruleset_plugins/test_coverage.py": "proofs",
    "tests/ruleset_plugins/test_docs.py": "proofs",
}
"""Files whose tests run in one process, because they share what takes long to make. They begin first."""


class Groups(LoadScopeScheduling):
    """Every test goes to a process that is free, those of a group to one.

    Groups go by file, because the marks of pytest-xdist 3.8 do nothing under pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        return GROUPS.get(nodeid.partition("::")[0], nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log) -> LoadScopeScheduling | None:
    return Groups(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> str:
    """rollbook's wheel. Tests that want it are of the group "wheels", so one process builds it for all of them."""
    (built,) = build_wheels(tmp_path_factory.mktemp("wheel"), ROOT)
    return built


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process, and a key of secret dice for all that play there.

    Tests that want it are skipped, with the reason, where none can run.
    """
    postgres = import_module("tests.support.postgres")
    if reason := postgres.why_not():
        pytest.skip(reason)
    server: PostgresServer = postgres.PostgresServer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLBOOK_SEED_KEY", postgres.SEED_KEY)
        try:
            yield server.make()
        finally:
            server.close()


@pytest.fixture
def postgres_store(postgres_server: PostgresServer) -> str:
    """The address of an empty store in a database of its own, for the role that the program plays under."""
    return postgres_server.dsn("rollbook", postgres_server.new_database())
