"""The pages and files for those who work on rollbook agree with one another and with what they speak of."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.needs import needed

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "RELEASING.md")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
MOST_LINES_OF_NOTES = 150
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_for_contributors_is_one_page(page: str) -> None:
    lines = read(page).splitlines()
    assert 10 < len(lines) <= 70


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_tells_to_run_is_there(page: str) -> None:
    for path in re.findall(r"(?:tests|docs|changelog|\.ci)/[\w./-]*\w", read(page)):
        assert (ROOT / path).exists() or "NAME" in path, path
    for module in re.findall(r"python -m (tests\.[\w.]*\w)", read(page)):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists(), module


@pytest.mark.parametrize("page", PAGES)
def test_an_extra_that_a_page_names_is_one(page: str) -> None:
    named = {each for found in re.findall(r"\.\[([\w,]+)\]", read(page)) for each in found.split(",")}
    assert named <= PROJECT["project"]["optional-dependencies"].keys()


def test_what_is_only_for_commits_and_releases_is_not_installed_for_tests() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    names = {re.split(r"[<>=]", each)[0] for each in extras["dev"]}
    assert names.isdisjoint(re.split(r"[<>=]", each)[0] for each in extras["test"])


# Fragments of the changelog.


def kinds() -> set[str]:
    return {kind["directory"] for kind in PROJECT["tool"]["towncrier"]["type"]}


def test_every_fragment_of_the_changelog_is_called_by_a_kind() -> None:
    fragments = [path for path in (ROOT / "changelog").iterdir() if path.name != "README.md"]
    wrong = [path.name for path in fragments if not re.fullmatch(rf"\+[\w-]+\.(?:{'|'.join(kinds())})\.md", path.name)]
    assert wrong == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "changelog/README.md"])
def test_the_kinds_of_fragments_are_on_the_page(page: str) -> None:
    assert kinds() <= set(re.findall(r"`(\w+)`", read(page)))


def test_notes_of_the_first_release_are_read_in_one_go() -> None:
    version = PROJECT["project"]["version"]
    (notes,) = re.findall(rf"^## {re.escape(version)} \(.*?(?=^## |\Z)", read("CHANGELOG.md"), re.MULTILINE | re.DOTALL)
    assert 20 < len(notes.splitlines()) <= MOST_LINES_OF_NOTES


def test_a_fragment_that_is_added_now_becomes_a_note_above_the_releases_before(tmp_path: Path) -> None:
    needed("towncrier")
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "changelog", tmp_path / "changelog")
    (tmp_path / "changelog" / "+a-new-thing.added.md").write_text("A thing that is new.\n", encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    build = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", "9.9.9", "--date", "2030-01-01"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    headings = re.findall(r"^## (.*)$", (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == ["9.9.9 (2030-01-01)", *re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.MULTILINE)]
    assert "A thing that is new." in (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [path.name for path in (tmp_path / "changelog").iterdir()] == ["README.md"]


def test_towncrier_finds_where_a_release_is_written_in_the_changelog() -> None:
    begins = PROJECT["tool"]["towncrier"]["start_string"]
    assert read("CHANGELOG.md").count(begins) == 1
    assert "\n## " not in read("CHANGELOG.md").partition(begins)[0]


# Commits and the workflow.


def subject_pattern() -> re.Pattern[str]:
    found = re.search(r"id: subject\n.*\n\s+entry: '(.*)'", HOOKS)
    assert found
    return re.compile(found[1], re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("subject", ["dice: a typed roll keeps its order", "Merge branch 'x'", f"a: {'b' * 69}"])
def test_a_subject_in_the_form_is_taken(subject: str) -> None:
    assert subject_pattern().search(f"{subject}\n\nA body; as long as it likes: {'x' * 100}\n")


@pytest.mark.parametrize("subject", ["Fixed it", "dice: one; two", f"a: {'b' * 70}", "dice:", "", "Dice: a typed roll"])
def test_a_subject_in_another_form_is_not(subject: str) -> None:
    assert not subject_pattern().search(f"{subject}\n\ndice: a body in the form of a subject\n")


def test_hooks_need_no_network_of_their_own() -> None:
    assert re.findall(r"repo: (\S+)", HOOKS) == ["local"]
    assert set(re.findall(r"language: (\w+)", HOOKS)) == {"system", "pygrep"}


def test_the_workflow_runs_the_door_and_every_other_python() -> None:
    versions = {each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d", each)}
    assert "- run: .ci/run\n" in WORKFLOW
    assert set(re.findall(r'"(3\.\d+)"', WORKFLOW)) == versions


def test_the_files_of_hooks_and_of_the_workflow_are_yaml() -> None:
    needed("yaml")
    yaml = import_module("yaml")
    assert {"all", "tests", "faults"} == yaml.safe_load(WORKFLOW)["jobs"].keys()
    assert len(yaml.safe_load(HOOKS)["repos"]) == 1
