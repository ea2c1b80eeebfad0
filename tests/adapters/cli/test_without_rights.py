"""rollbook runs for a user without rights, with a home folder that can only be read and files where XDG's variables say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.needs import needed
from tests.support.processes import ROOT

NOBODY = 65_534
XDG = ("DATA", "STATE", "CONFIG", "CACHE")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder into which everybody may look, with a home folder that nobody may change, and one for each of XDG's variables."""
    made = Path(tempfile.mkdtemp(prefix="rollbook-home-"))
    made.chmod(0o755)
    (made / "home").mkdir(mode=0o555)
    for name in XDG:
        (made / name).mkdir(mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(made / name, NOBODY, NOBODY)
    yield made
    (made / "home").chmod(0o755)
    shutil.rmtree(made)


def without_rights() -> list[str]:
    """What stands before a command. Skips the test where what is installed is for its owner's eyes alone."""
    if os.geteuid() != 0:
        return []
    places = [ROOT, Path(sys.prefix), Path(sys.base_prefix)]
    if not all(each.stat().st_mode & 0o001 for place in places for each in (place, *place.parents)):
        pytest.skip("what this run has installed lies where nobody but its owner may look")
    return [needed("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="there are no rights of this kind")
def test_a_demo_is_played_with_a_home_folder_that_can_only_be_read(folder: Path) -> None:
    variables = {f"XDG_{name}_HOME": str(folder / name) for name in XDG}
    variables |= {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    before = without_rights()

    def rollbook(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*before, sys.executable, "-B", "-m", "rollbook", *words]
        return subprocess.run(
            command, cwd=folder / "home", env=variables, capture_output=True, text=True, check=False, timeout=120
        )

    played = rollbook("new", "The Mill", "--ruleset", "storytoken")
    assert (played.returncode, played.stderr) == (0, "")
    assert "VERIFIED" in rollbook("audit").stdout
    demo = rollbook("demo")
    assert (demo.returncode, demo.stderr) == (0, "")
    assert "permissions  only you may read" in rollbook("doctor").stdout
    assert (folder / "DATA" / "rollbook" / "rollbook.db").stat().st_mode & 0o077 == 0
    assert list((folder / "home").iterdir()) == []
