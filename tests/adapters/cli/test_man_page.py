"""The manual page says what the help says, and completion comes for every shell."""

from __future__ import annotations

import re
import subprocess

import pytest

from rollbook.adapters.cli.app import COMMANDS
from rollbook.adapters.cli.commands.beginning import SHELLS
from rollbook.adapters.cli.errors import Exit
from tests.support.man_page import EXITS, PAGE, man_page
from tests.support.needs import missing, needs


def test_the_page_is_as_the_program_says_it() -> None:
    assert PAGE.read_text(encoding="utf-8") == man_page(), "Write it again: python -m tests.support.man_page"
    assert {int(code) for code in EXITS} == {code.value for code in Exit}
    assert all(f".B rollbook {name}".replace("-", r"\-") in man_page() for name in COMMANDS)


@pytest.mark.process
@needs("groff")
def test_the_page_is_set_without_a_warning() -> None:
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(PAGE)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    shown = re.sub(".\x08", "", done.stdout)  # bold letters are struck twice
    assert "rollbook delete-campaign" in shown


@pytest.mark.process
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_takes_what_completes_commands(rollbook, shell: str) -> None:
    script = rollbook(f"completion {shell}").out
    assert "_ROLLBOOK_COMPLETE" in script
    if not missing(shell):
        read = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
        assert read.returncode == 0, read.stderr
