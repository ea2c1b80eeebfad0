"""rollbook installs one import name, beside anybody's code, and a checkout runs without symbolic links too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.clean_environment import ROOT, CleanEnvironment

COMMON = ("domain", "adapters", "projections", "application", "tests")
"""Names that the packages of many projects have."""

STRANGERS_TEST = """
import rollbook
import domain, adapters, projections, application
from rollbook.kit import d20
from rollbook.plugin import Ruleset

def test_both_are_there():
    assert [each.OF for each in (domain, adapters, projections, application)] == ["a stranger"] * 4
    with rollbook.open("table.db", seeds="seeds") as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.say("note hello")
        assert [answer.verdict.name for answer in campaign.audit()][0] == "VERIFIED"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: str) -> CleanEnvironment:
    return CleanEnvironment.create(tmp_path_factory.mktemp("front door"), [wheel])


def test_it_is_used_in_a_project_that_has_packages_of_the_commonest_names(installed: CleanEnvironment) -> None:
    project = installed.home / "project"
    for name in COMMON:
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").write_text('OF = "a stranger"\n')
    (project / "tests" / "test_both.py").write_text(STRANGERS_TEST)
    installed.run(installed.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=project)
    assert "sherwood" in installed.run(str(installed.bin / "rollbook"), "--store", "table.db", "campaigns", cwd=project)


@pytest.fixture(scope="module")
def without_links(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout as git makes it where there are no symbolic links: each is a file that holds where it points."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    place = tmp_path_factory.mktemp("windows") / "rollbook"
    clone = ["git", "-c", "core.symlinks=false", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", str(place)]
    subprocess.run(clone, check=True, capture_output=True)
    assert (place / "rollbook" / "domain").read_text() == "../domain"
    return place


def test_a_checkout_without_symbolic_links_runs(without_links: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ROLLBOOK"))}
    environment |= {"PYTHONPATH": str(without_links), "HOME": str(tmp_path)}
    environment |= {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_DATA_HOME": str(tmp_path / "data")}
    script = f"""
import rollbook
assert rollbook.__file__.startswith({str(without_links)!r}), rollbook.__file__
with rollbook.open({str(tmp_path / "table.db")!r}, seeds={str(tmp_path / "seeds")!r}) as book:
    campaign = book.new("Sherwood", "storytoken")
    assert campaign.say("note hello").entry.number == 2
    assert "rollbook.rulesets.storytoken" in __import__("sys").modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path, env=environment)
    demo = subprocess.run(
        [sys.executable, "-m", "rollbook", "demo"],
        check=True,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "Now you:" in demo.stdout
