"""The archives that a release uploads hold what they should, and the source archive is as good as a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tests.support.clean_environment import ROOT, build_wheels

LINKS = {"rollbook/adapters", "rollbook/application", "rollbook/domain", "rollbook/projections", "rollbook/rulesets"}
"""What a checkout has beside its files, for editors."""
PACKED_AS = {"ruleset_plugins": "rollbook/rulesets"} | {
    folder: f"rollbook/{folder}" for folder in ("adapters", "application", "domain", "projections")
}
"""Folders of a checkout, and where a wheel has them."""


def committed() -> set[str]:
    """The files of the checkout. Skips the test where it is none."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(listed.stdout.splitlines()) - LINKS


def names_in(wheel: str) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an unpacked source archive."""
    place = tmp_path_factory.mktemp("source")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (packed,) = place.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", str(packed), "-C", str(place)], check=True)
    return place / packed.name.removesuffix(".tar.gz")


@pytest.mark.process
def test_a_source_archive_holds_the_files_of_the_checkout_and_no_others(unpacked: Path) -> None:
    found = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert committed() - found == set()
    assert found - committed() - {"PKG-INFO"} == untracked()


def untracked() -> set[str]:
    """What is not committed yet, and not ignored."""
    asked = ["git", "ls-files", "--others", "--exclude-standard"]
    return set(subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines())


@pytest.mark.process
def test_a_wheel_of_the_source_archive_is_a_wheel_of_the_checkout(unpacked: Path, wheel: str, tmp_path: Path) -> None:
    (made,) = build_wheels(tmp_path, unpacked)
    assert names_in(made) == names_in(wheel)


@pytest.mark.process
def test_a_wheel_holds_the_program_its_pages_and_nothing_else(wheel: str) -> None:
    program, shared = set(), set()
    for name in committed() | untracked():
        folder = PurePosixPath(name).parts[0]
        if folder in PACKED_AS:
            program.add(PACKED_AS[folder] + name.removeprefix(folder))
        elif folder == "rollbook":
            program.add(name)
        elif name.startswith(("docs/", "deploy/rollbook.1")) or (folder == "examples" and name.endswith(".session")):
            shared.add(name)
    found = {name for name in names_in(wheel) if not name.endswith("/")}
    packed = {name for name in found if name.startswith("rollbook/")}
    assert packed == program
    lying = {name.partition(".data/data/share/")[2] for name in found if ".data/" in name}
    apart = {"docs": "rollbook/docs", "examples": "rollbook/examples", "deploy": "man/man1"}
    flat = {name for name in shared if "/plugins/" not in name}
    assert lying == {f"{apart[name.partition('/')[0]]}/{name.partition('/')[2]}" for name in flat}
    assert {PurePosixPath(name).name for name in found if ".dist-info/licenses/" in name} == {"LICENSE", "NOTICE"}


@pytest.mark.process
def test_a_source_archive_plays_as_it_is_unpacked(unpacked: Path, tmp_path: Path) -> None:
    variables = {**os.environ, "PYTHONPATH": str(unpacked), "XDG_STATE_HOME": str(tmp_path / "state")}
    play = [sys.executable, "-m", "rollbook", "--store", "table.db", "demo"]
    shown = subprocess.run(play, cwd=tmp_path, env=variables, check=True, capture_output=True, text=True).stdout
    assert "VERIFIED" in shown
    asked = [sys.executable, "-c", "import rollbook.domain as package; print(package.__file__)"]
    found = subprocess.run(asked, cwd=tmp_path, env=variables, check=True, capture_output=True, text=True).stdout
    assert Path(found.strip()) == unpacked / "domain" / "__init__.py"
