"""What holds for every test: properties draw the same examples in every run, and no clock decides about them.

A test that is marked with a rule must have asserted something when it passes.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support import costs, last_skipped, scheduling, tiers
from tests.support.clean_environment import ROOT, build_wheels
from tests.support.pages import a_browser
from tests.support.proofs import pytest_runtest_call

__all__ = ["a_browser", "pytest_runtest_call", "wheel"]

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer

OWN = tempfile.TemporaryDirectory(prefix="rollbook-tests-")
for folder in ("DATA", "STATE", "CONFIG"):  # tests leave alone what belongs to the person who runs them
    os.environ[f"XDG_{folder}_HOME"] = f"{OWN.name}/{folder.lower()}"
for name in [
    name for name in os.environ if name.startswith("GIT_")
]:  # a hook's, by which a test would write to its commit
    del os.environ[name]
os.environ["TZ"] = "UTC"  # a campaign begins in the time zone of its computer, and entries are compared byte for byte

PLUGINS = (last_skipped, costs, scheduling, tiers)
"""What pytest is told besides the hooks of this file."""


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    for plugin in PLUGINS:
        pluginmanager.register(plugin)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lasts as long as the tests: modules and the tests themselves, some million objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


settings.register_profile("rollbook", deadline=None, derandomize=True)
settings.load_profile("rollbook")


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
