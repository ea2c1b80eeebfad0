"""A game that is somebody else's is built, installed, played, taken away and missed: the campaign outlives its rules.

Both distributions are really built and really installed. Only their dependencies are lent by the environment that runs the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).parent.parent
GAME = ROOT / "examples" / "plugins" / "mousehole"
PACKAGE = "rollbook-mousehole"
SHELF = """
campaign "The Long Shelf" mousehole nibble_from=4
open-session
join Pip --nimble 4 --bold 2 --clever 1
check pip nimble --target tricky --cheese
check pip clever
dawn
close-session
"""


@attrs.frozen
class Place:
    """An environment of its own, and a store in it."""

    home: Path

    @property
    def python(self) -> str:
        return str(self.home / "venv" / "bin" / "python")

    def run(self, *command: str, fails: bool = False, cwd: Path | None = None) -> str:
        """What a command says. The repository is not on its path."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ROLLBOOK", "XDG"))}
        own = {"XDG_STATE_HOME": str(self.home / "state"), "COLUMNS": "200"}
        done = subprocess.run(
            command, cwd=cwd or self.home, env=kept | own, capture_output=True, encoding="utf-8", check=False
        )
        said = done.stdout + done.stderr
        assert (done.returncode != 0) == fails, said
        assert "Traceback" not in said
        return said

    def rollbook(self, *words: str, fails: bool = False) -> str:
        command = str(self.home / "venv" / "bin" / "rollbook")
        return self.run(command, "--store", str(self.home / "table.db"), *words, fails=fails)

    def pip(self, *words: str) -> None:
        self.run(sys.executable, "-m", "pip", "--python", self.python, "--disable-pip-version-check", *words)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Rollbook and the game, built by their own pyproject.toml."""
    shelf = tmp_path_factory.mktemp("wheels")
    for project in (ROOT, GAME):
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(shelf)]
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    found = sorted(str(wheel) for wheel in shelf.glob("*.whl"))
    assert len(found) == 2
    return found


@pytest.fixture
def place(tmp_path: Path, wheels: list[str]) -> Place:
    """Both wheels in a clean environment, which borrows their dependencies and nothing else."""
    here = Place(tmp_path)
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    here.pip("install", "--quiet", "--no-index", "--no-deps", *wheels)
    (own,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    where = here.run(
        here.python,
        "-c",
        "import ruleset_plugins, rollbook_mousehole as m; print(ruleset_plugins.__file__, m.__file__)",
    )
    assert str(ROOT) not in where
    return here


def verdicts(place: Place) -> dict[str, str]:
    lines = [line.split() for line in place.rollbook("audit").splitlines()]
    return {words[0]: words[1] for words in lines if words and words[0] in ("chain", "dice", "rules")}


def test_it_is_found_and_played_and_its_own_tests_pass(place: Place) -> None:
    listed = next(line for line in place.rollbook("rulesets").splitlines() if line.startswith("mousehole"))
    assert f"{PACKAGE} 1.0.0" in listed
    told = place.rollbook("play", str(GAME / "long-shelf.evening"))
    assert "1 against 2: no" in told
    assert "3 against 2: yes" in told
    assert "Pip is under the paw" in told
    assert "Pip +3 XP" in told
    assert verdicts(place) == {"chain": "VERIFIED", "dice": "UNPROVEN", "rules": "VERIFIED"}, "real dice prove nothing"
    own = ["-m", "pytest", "-o", "addopts=", "-p", "no:cacheprovider", "--import-mode=importlib", str(GAME / "tests")]
    assert " passed" in place.run(place.python, *own).splitlines()[-1]


def test_without_it_the_campaign_reads_verifies_and_says_what_to_install(place: Place) -> None:
    evening = place.home / "shelf.evening"
    evening.write_text(SHELF, encoding="utf-8")
    place.rollbook("play", str(evening))
    place.pip("uninstall", "--quiet", "--yes", PACKAGE)
    assert "mousehole" not in place.rollbook("rulesets")
    refusal = place.rollbook("do", "check", "pip", "nimble", fails=True)
    assert "'mousehole' (version 1), which is not installed" in refusal
    assert f"install {PACKAGE} to play on" in refusal
    assert "The Long Shelf" in place.rollbook("campaigns")
    assert "check: nimble against tricky" in place.rollbook("log")
    assert "nimble" in place.rollbook("sheet", "pip")
    place.rollbook("export", "shelf.jsonl")
    assert f'"package":"{PACKAGE}"' in (place.home / "shelf.jsonl").read_text(encoding="utf-8")
    assert verdicts(place) == {"chain": "VERIFIED", "dice": "VERIFIED", "rules": "UNPROVEN"}
