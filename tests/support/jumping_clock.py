"""A clock that can be set while a process runs: a small library, compiled here, is preloaded into it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from tests.support.needs import needed

SOURCE = Path(__file__).with_name("jumping_clock.c")


@attrs.frozen
class JumpingClock:
    """The clock of the processes that are started with ``variables``."""

    variables: dict[str, str]
    _file: Path

    @classmethod
    def made(cls, folder: Path) -> JumpingClock:
        """A clock that shows the time. Skips the test where there can be none."""
        if sys.platform != "linux":
            pytest.skip("A clock that jumps needs Linux.")
        library, file = folder / "jumping_clock.so", folder / "clock"
        subprocess.run([needed("cc"), "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True)
        clock = cls({"LD_PRELOAD": str(library), "JUMPING_CLOCK": str(file)}, file)
        clock.set(0)
        return clock

    def set(self, seconds: int) -> None:
        """Let it show so many seconds more than it should."""
        new = self._file.with_suffix(".new")
        new.write_text(str(seconds), encoding="utf-8")
        new.replace(self._file)
