"""What holds for every test: properties draw the same examples in every run, and no clock decides about them.

A test that is marked with a rule must have asserted something when it passes.
"""

from hypothesis import settings

from tests.support.proofs import pytest_runtest_call

__all__ = ["pytest_runtest_call"]

settings.register_profile("rollbook", deadline=None, derandomize=True)
settings.load_profile("rollbook")
