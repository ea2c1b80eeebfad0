"""``import rollbook`` opens a book for scripts, and says so if another distribution hides the program's packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import rollbook as front_door

HOUSE = Path(front_door.__file__).resolve().parents[1]


def test_a_script_opens_a_book_and_plays(home: Path) -> None:
    with front_door.open(home / "mine.db", seeds=home / "seeds") as book:
        campaign = book.new("Mine", "storytoken")
        campaign.do("note", {"text": "hello"})
        assert campaign.load_history().head == 2


def test_the_version_is_known() -> None:
    assert front_door.__version__


def test_a_package_that_hides_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "__init__.py").touch()
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(HOUSE)!r}]; import rollbook"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 1
    assert str(tmp_path / "domain") in done.stderr
    assert "pipx install rollbook" in done.stderr


def test_the_command_says_so_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "__init__.py").touch()
    script = tmp_path / "rollbook"
    script.write_text(f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(HOUSE)!r}]\nfrom rollbook import main\n")
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path / "empty"
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("rollbook's package 'domain' is hidden by ")
