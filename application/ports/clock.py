"""The clock, as moments are recorded."""

import time


def microseconds() -> int:
    """Now, in microseconds since 1970, UTC."""
    return time.time_ns() // 1_000
