"""The clock of the tests does what it says it does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.support.jumping_clock import JumpingClock

LOOK = "import sys, time; m = time.monotonic(); time.sleep(0.01); print(int(time.time()), time.monotonic() - m)"


def look(clock: JumpingClock) -> tuple[int, float]:
    done = subprocess.run(
        [sys.executable, "-c", LOOK], env={**os.environ, **clock.variables}, capture_output=True, text=True, check=True
    )
    now, slept = done.stdout.split()
    return int(now), float(slept)


def test_it_moves_the_time_of_day_and_no_interval(tmp_path: Path) -> None:
    clock = JumpingClock.made(tmp_path)
    assert abs(look(clock)[0] - time.time()) < 30
    clock.set(-100_000_000)
    now, slept = look(clock)
    assert abs(now + 100_000_000 - time.time()) < 30
    assert 0.01 <= slept < 5
