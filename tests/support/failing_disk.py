"""A disk that fails when it is told to: a small library, compiled here, is preloaded into another process."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.needs import needed

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("failing_disk.c")
FULL, FAILING = errno.ENOSPC, errno.EIO


def compiled(folder: Path) -> Path:
    """The library. Skips the test where it cannot be made."""
    if sys.platform != "linux":
        pytest.skip("A disk that fails needs Linux.")
    library = folder / "failing_disk.so"
    subprocess.run([needed("cc"), "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    return library


def environment(library: Path, when: Path, name: str = "", call: str = "write", number: int = FULL) -> dict[str, str]:
    """Variables for a process in which ``call`` fails on files with ``name`` in their paths, while the file ``when`` is there."""
    failing = {"FAILING_CALL": call, "FAILING_NAME": name, "FAILING_WHEN": str(when), "FAILING_ERRNO": str(number)}
    return {**os.environ, **failing, "FAILING_TIMES": "0", "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}


def run(arguments: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    """Python with these arguments, in such surroundings."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=300
    )
