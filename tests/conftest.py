"""What holds for every test: properties draw the same examples in every run, and no clock decides about them.

A test that is marked with a rule must have asserted something when it passes.
"""

import pytest
from hypothesis import settings

from tests.support.clean_environment import ROOT, build_wheels
from tests.support.proofs import pytest_runtest_call

__all__ = ["pytest_runtest_call", "wheel"]

settings.register_profile("rollbook", deadline=None, derandomize=True)
settings.load_profile("rollbook")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> str:
    """rollbook's wheel. Tests that want it are of the group "wheels", so one process builds it for all of them."""
    (built,) = build_wheels(tmp_path_factory.mktemp("wheel"), ROOT)
    return built
