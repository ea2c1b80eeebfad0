"""Every test has a marker by what it costs, and one that is called fast starts no process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.costs_table import FAST, OTHER, PROCESS, FileCost, summed_up, table, written
from tests.support.processes import ROOT
from tests.support.scheduling import GROUPS, LONG, group_of
from tests.support.tiers import TIERS

OF_TESTS = """\
import os
import subprocess
import sys
import time

import pytest

@pytest.fixture(scope="module")
def made():
    return sum(range(3_000_000))

@pytest.mark.fast
def test_that_starts_a_process():
    subprocess.run([sys.executable, "-c", ""], check=True)

@pytest.mark.fast
@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where there are forks")
def test_that_forks():
    if not (child := os.fork()):
        os._exit(0)
    os.waitpid(child, 0)

@pytest.mark.fast
def test_that_starts_none():
    pass

@pytest.mark.process
@pytest.mark.parametrize("close_fds", [True, False], ids=["forks", "spawns"])
def test_that_may_start_one(close_fds):
    subprocess.run([sys.executable, "-c", ""], check=True, close_fds=close_fds)

@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="only where processes are spawned")
def test_that_spawns_one():
    os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-c", ""], os.environ), 0)

@pytest.mark.parametrize("nth", range(2))
def test_that_shares(made, nth):
    pass

def test_that_waits():
    time.sleep(0.2)
"""
STARTING_ONE = ("test_that_may_start_one[forks]", "test_that_may_start_one[spawns]", "test_that_spawns_one")


def run(folder: Path, *options: str) -> str:
    """pytest with the two plug-ins on these tests."""
    (folder / "test_some.py").write_text(OF_TESTS, encoding="utf-8")
    plugins = ("-p", "tests.support.tiers", "-p", "tests.support.costs")
    marks = [word for tier in TIERS for word in ("-o", f"markers={tier}")]
    command = [sys.executable, "-m", "pytest", *plugins, "--rootdir", str(folder), "-c", os.devnull, *marks, *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.mark.process
def test_a_fast_test_that_starts_a_process_fails(tmp_path: Path) -> None:
    said = run(tmp_path, "-q")
    assert said.count("This test is fast and starts a process.") >= 2
    assert "test_that_starts_a_process - Failed" in said
    assert "2 failed, 7 passed" in said


@pytest.mark.process
def test_what_a_test_costs_is_measured_with_its_waits_and_its_share_of_fixtures(tmp_path: Path) -> None:
    run(tmp_path, "-q", "--measure-costs", "costs.jsonl")
    lines = (tmp_path / "costs.jsonl").read_text(encoding="utf-8").splitlines()
    cost = {found["test"].partition("::")[2]: found for found in map(json.loads, lines)}
    started = {
        name: found["processes"] for name, found in cost.items() if name.startswith(("test_that_may", "test_that_sp"))
    }
    assert started == dict.fromkeys(STARTING_ONE, 1)
    assert cost["test_that_starts_none"]["processes"] == 0
    assert cost["test_that_waits"]["seconds"] >= 0.15
    assert abs(cost["test_that_shares[0]"]["seconds"] - cost["test_that_shares[1]"]["seconds"]) < 0.05
    (found,) = summed_up(lines).values()
    assert found.marker_of("test_that_starts_none") == FAST
    assert found.marker_of("test_that_starts_a_process") == PROCESS
    assert found.marker_of("test_that_waits") == OTHER


def test_the_dearest_parameter_says_what_a_test_is_and_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    measured = [("a.py::test_x[1]", 0.01, 0), ("a.py::test_x[2]", 0.9, 0), ("a.py::TestY::test_z", 0.9, 1)]
    measured += [("a.py::test_quick", 0.01, 0), ("a.py::test_quick_too", 0.01, 0), ("b c.py::test_slow", 3.0, 0)]
    lines = [json.dumps({"test": test, "seconds": cost, "processes": started}) for test, cost, started in measured]
    found = summed_up(lines)
    assert found["a.py"] == FileCost(pytest.approx(1.83), FAST, {"test_x": OTHER, "TestY::test_z": PROCESS})
    place = tmp_path / "costs.txt"
    place.write_text("".join(written(found)), encoding="utf-8")
    assert {file: cost.others for file, cost in table(place).items()} == {
        file: cost.others for file, cost in found.items()
    }
    assert table(place)["b c.py"].marker == OTHER


def test_the_tests_of_a_file_share_a_process_unless_it_is_dear_or_was_not_measured() -> None:
    cheap = next(file for file, cost in table().items() if cost.seconds < 1 and file not in GROUPS)
    dear = [file for file, cost in table().items() if cost.seconds > LONG and file not in GROUPS]
    assert group_of(f"{cheap}::test_x[1]") == cheap
    assert group_of(f"{cheap}::test_x[1]", by_file=False) == f"{cheap}::test_x[1]"
    for file in ("tests/test_not_measured.py", *dear):
        assert group_of(f"{file}::test_x") == f"{file}::test_x"
    assert {group_of(f"{file}::test_x", by_file=False) for file in GROUPS} == set(GROUPS.values())


def test_no_test_has_two_markers_of_cost(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    marked = {item.nodeid: [tier for tier in TIERS if item.get_closest_marker(tier)] for item in items}
    assert {name: tiers for name, tiers in marked.items() if len(tiers) > 1} == {}


def test_most_tests_are_in_the_table() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert len(files & table().keys()) > 0.5 * len(files), "measure again: see tests/support/costs.py"
