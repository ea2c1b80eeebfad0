"""A game that is somebody else's is built, installed, played, taken away and missed: the campaign outlives its rules.

Both distributions are really built and really installed. Only their dependencies are lent by the environment that runs the tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.clean_environment import ROOT, CleanEnvironment, build_wheels

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


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory, wheel: str) -> list[str]:
    return [wheel, *build_wheels(tmp_path_factory.mktemp("wheels"), GAME)]


@pytest.fixture
def place(tmp_path: Path, wheels: list[str]) -> CleanEnvironment:
    return CleanEnvironment.create(tmp_path, wheels)


def verdicts(place: CleanEnvironment) -> dict[str, str]:
    lines = [line.split() for line in place.rollbook("audit").splitlines()]
    return {words[0]: words[1] for words in lines if words and words[0] in ("chain", "dice", "rules")}


def test_it_is_found_and_played_and_its_own_tests_pass(place: CleanEnvironment) -> None:
    listed = next(line for line in place.rollbook("rulesets").splitlines() if line.startswith("mousehole"))
    assert f"{PACKAGE} 1.0.0" in listed
    told = place.rollbook("play", str(GAME / "long-shelf.session"))
    assert "1 against 2: clatter" in told
    assert "3 against 2: done" in told
    assert "Status free → under the paw" in told
    assert "Fame 0 → 3" in told
    assert set(verdicts(place).values()) == {"VERIFIED"}
    own = ["-m", "pytest", "-o", "addopts=", "-p", "no:cacheprovider", "--import-mode=importlib", str(GAME / "tests")]
    assert " passed" in place.run(place.python, *own).splitlines()[-1]


def test_without_it_the_campaign_reads_verifies_and_says_what_to_install(place: CleanEnvironment) -> None:
    script = place.home / "shelf.session"
    script.write_text(SHELF, encoding="utf-8")
    place.rollbook("play", str(script))
    place.pip("uninstall", "--quiet", "--yes", PACKAGE)
    assert "mousehole" not in place.rollbook("rulesets")
    refusal = place.rollbook("do", "check", "pip", "nimble", fails=True)
    assert "'mousehole' (version 1), which is not installed" in refusal
    assert f"install {PACKAGE} to play on" in refusal
    assert "The Long Shelf" in place.rollbook("campaigns")
    assert "nimble against tricky" in place.rollbook("log")
    assert "nimble" in place.rollbook("sheet", "pip")
    place.rollbook("export", "shelf.jsonl")
    assert f'"package":"{PACKAGE}"' in (place.home / "shelf.jsonl").read_text(encoding="utf-8")
    assert verdicts(place) == {"chain": "VERIFIED", "dice": "VERIFIED", "rules": "UNPROVEN"}
