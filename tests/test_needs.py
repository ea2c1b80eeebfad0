"""What README's first command does not install is looked for in one place; what was skipped for want of it can be run later."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.needs import MODULES, PROGRAMS, missing
from tests.support.processes import ROOT

LOOKING = {"which", "find_spec", "importorskip"}
"""Calls that look for a program or a module."""
ASKING = {"missing", "needed", "needs"}
"""Calls that ask tests/support/needs.py."""
OF_TESTS = """\
import os
import pytest

def test_that_runs():
    pass

@pytest.mark.parametrize("which", ["one", "two words"])
def test_that_needs(which):
    if which != "one" and "INSTALLED" not in os.environ:
        pytest.skip("it is not installed")

@pytest.mark.parametrize("which", os.environ.get("INSTALLED", "").split())
def test_of_each(which):
    pass

@pytest.mark.xfail
def test_that_is_known_to_fail():
    assert False
"""
WHOLE_FILE = """\
import os
import pytest
if "INSTALLED" not in os.environ:
    pytest.skip("it is not installed", allow_module_level=True)

def test_of_a_file():
    pass
"""


def looked_for(path: Path) -> Iterator[str]:
    """What a file looks for by itself, other than modules that not every system has of Python's own."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            what = ast.literal_eval(node.args[0]) if name in LOOKING and isinstance(node.args[0], ast.Constant) else ""
            if name in LOOKING and what not in sys.stdlib_module_names:
                yield f"{path.relative_to(ROOT)}: {name} {what}"


def test_programs_and_extras_are_looked_for_in_one_place() -> None:
    files = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "needs.py"]
    assert len(files) > 200
    assert [found for path in sorted(files) for found in looked_for(path)] == [], "use tests/support/needs.py"


def asked_for(path: Path) -> Iterator[str]:
    """The programs and modules that a file says it needs."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
            yield from (each.value for each in node.args if isinstance(each, ast.Constant))


def test_whatever_is_needed_is_known_with_what_installs_it() -> None:
    found = {name for path in (ROOT / "tests").rglob("*.py") for name in asked_for(path)}
    assert len(found) > 15
    assert found - {*MODULES, *PROGRAMS} == set()


def test_what_is_missing_is_said_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.needs.find_spec", lambda name: None)
    monkeypatch.setattr("tests.support.needs.shutil.which", lambda name, path: None)
    assert missing("typst") == "typst is not installed: pip install -e '.[pdf]'"
    assert missing("firefox-esr") == "firefox-esr is not installed: apt-get install firefox-esr"
    assert all(missing(name).startswith(f"{name} is not installed: ") for name in (*MODULES, *PROGRAMS))


@pytest.mark.parametrize("processes", ["0", "2"])
def test_what_was_skipped_and_nothing_else_is_run_later(tmp_path: Path, processes: str) -> None:
    (tmp_path / "test_tests.py").write_text(OF_TESTS)
    (tmp_path / "test_whole_file.py").write_text(WHOLE_FILE)

    def run(*options: str, **variables: str) -> str:
        plugins = ("-p", "xdist.plugin", "-p", "tests.support.last_skipped")
        plain = ("--rootdir", str(tmp_path), "-c", os.devnull, "-n", processes)
        command = [sys.executable, "-m", "pytest", *plugins, *plain, *options]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        ).stdout

    assert "2 passed, 3 skipped, 1 xfailed" in run()
    assert "3 skipped" in run("--last-skipped")
    assert "4 passed" in run("--last-skipped", INSTALLED="first second")
    assert "passed" not in run("--last-skipped", INSTALLED="first second")
