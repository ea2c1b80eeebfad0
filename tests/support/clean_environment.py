"""A virtual environment with nothing but the built wheels."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[2]


def build_wheels(shelf: Path, *projects: Path) -> list[str]:
    """The wheels of these projects, built by their own pyproject.toml."""
    for project in projects:
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(shelf)]
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    found = sorted(str(wheel) for wheel in shelf.glob("*.whl"))
    assert len(found) == len(projects)
    return found


@attrs.frozen
class CleanEnvironment:
    """A folder with an environment and a store."""

    home: Path

    @classmethod
    def create(cls, home: Path, wheels: Iterable[str]) -> CleanEnvironment:
        """Install first, then borrow: so pip sees nothing that is not there."""
        here = cls(home)
        venv.create(home / "venv", with_pip=False, symlinks=True)
        here.pip("install", "--quiet", "--no-index", "--no-deps", *wheels)
        (own,) = (home / "venv" / "lib").glob("python*/site-packages")
        (own / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        assert str(ROOT) not in here.run(here.python, "-c", "import rollbook; print(rollbook.__file__)")
        return here

    @property
    def bin(self) -> Path:
        return self.home / "venv" / "bin"

    @property
    def python(self) -> str:
        return str(self.bin / "python")

    def environment(self) -> dict[str, str]:
        """Environment variables of its commands: nothing of the repository or of a user, no index, and its own programs first."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ROLLBOOK", "XDG"))}
        own = {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "ROLLBOOK_STORE": str(self.home / "table.db"),
            "COLUMNS": "200",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
        }
        return kept | own

    def run(self, *command: str, fails: bool = False, cwd: Path | None = None, shell: bool = False) -> str:
        """Run a command, which must succeed unless it ``fails``. Returns its output."""
        done = subprocess.run(
            command[0] if shell else command,
            cwd=cwd or self.home,
            env=self.environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
            shell=shell,
        )
        said = done.stdout + done.stderr
        assert (done.returncode != 0) == fails, said
        assert "Traceback" not in said
        return said

    def rollbook(self, *words: str, fails: bool = False) -> str:
        return self.run(str(self.bin / "rollbook"), *words, fails=fails)

    def pip(self, *words: str) -> None:
        self.run(sys.executable, "-m", "pip", "--python", self.python, *words)
