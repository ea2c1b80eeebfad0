"""What holds for every test: properties draw the same examples in every run, and no clock decides about them."""

from hypothesis import settings

settings.register_profile("rollbook", deadline=None, derandomize=True)
settings.load_profile("rollbook")
