"""What is recorded counts, though its answer cannot be written: that is said, and the exit code tells it from a failure."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.cli.app import ACTS, COMMANDS, LOOKS
from rollbook.adapters.cli.errors import Exit
from rollbook.adapters.exports.files import SCRIPTS, VERIFIER
from tests.support.needs import needed
from tests.support.recording import RECORDING, rows
from tests.support.terminal import RunRollbook

FULL = Path("/dev/full")
HOUSE = Path(__file__).resolve().parents[3]
QUERIES = (
    "log",
    "status",
    "sheet robin",
    "why robin hp",
    "xp",
    "stats",
    "verbs",
    "audit",
    "receipt",
    "--help",
    "log --json",
)


@contextmanager
def full() -> Iterator[io.TextIOBase | None]:
    """A disk without room."""
    if not FULL.exists():
        pytest.skip("There is no /dev/full here.")
    with FULL.open("w") as stream:
        yield stream
        _empty(stream)


@contextmanager
def closed() -> Iterator[io.TextIOBase | None]:
    """What Python has where the descriptor was closed."""
    yield None


@contextmanager
def left() -> Iterator[io.TextIOBase | None]:
    """A pipe whose reader has gone."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        yield stream
        _empty(stream)


def _empty(stream: io.TextIOBase) -> None:
    """Have what waits in it go nowhere when it is closed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


PLACES = {each.__name__: each for each in (full, closed, left)}
Lose = Callable[[str, str], tuple[int, str]]


@pytest.fixture
def lose(table: RunRollbook, monkeypatch: pytest.MonkeyPatch) -> Lose:
    """Call the command line where no answer can be written; the exit code, and what it said beside it."""

    def call(words: str, place: str) -> tuple[int, str]:
        said = io.StringIO()
        with PLACES[place]() as stream, monkeypatch.context() as streams:
            streams.setattr(sys, "stdout", stream)
            streams.setattr(sys, "stderr", said)
            code = main(shlex.split(words))
        return int(code), said.getvalue()

    return call


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", RECORDING)
def test_every_command_that_records_says_that_it_has(
    table: RunRollbook, lose: Lose, home: Path, name: str, place: str
) -> None:
    script = home / "lines.session"
    script.write_text("note 'A shout.'\nnote 'Another.'\n", encoding="utf-8")
    before, words = RECORDING[name]
    for each in before:
        assert table(each).code == 0, each
    had = rows(home)
    code, said = lose(words.format(script=script), place)
    assert (code, rows(home) > had) == (Exit.UNSEEN, True), said
    assert "recorded, but the answer could not be shown" in said


def test_every_command_that_records_is_tried_here() -> None:
    assert {name.partition(" ")[0] for name in RECORDING} >= ACTS - {"redact", "seat-link"}
    assert ACTS.isdisjoint(LOOKS)
    assert set(COMMANDS) >= LOOKS


def test_the_numbers_of_what_is_recorded_are_said(lose: Lose) -> None:
    assert lose("do note x", "full")[1].startswith("#10 is recorded, but the answer could not be shown: No space left")
    assert lose("do note x", "closed")[1].startswith("#11 is recorded, but")
    assert lose("undo 10 --why x --yes", "full")[1].startswith("The correction of #10 is recorded, but")
    error = json.loads(lose("--json do note x", "left")[1])["error"]
    assert (error["code"], error["message"].split(",")[0]) == ("answer_unseen", "#12 is recorded")


def test_a_script_is_played_to_its_end(lose: Lose, home: Path) -> None:
    script = home / "lines.session"
    script.write_text("note 'A shout.'\nnote 'Another.'\nundo 10 --why so\n", encoding="utf-8")
    code, said = lose(f"play {script}", "full")
    assert code == Exit.UNSEEN
    assert said.startswith("#10–#11 and the correction of #10 are recorded, but")


def test_a_link_that_nobody_has_seen_is_no_success(lose: Lose) -> None:
    code, said = lose("seat-link Mira", "full")
    assert code == Exit.UNSEEN
    assert said.startswith("What was asked for is done, but the answer could not be shown")


@pytest.mark.parametrize("words", QUERIES)
def test_a_question_that_cannot_be_answered_is_an_error(lose: Lose, words: str) -> None:
    for place in ("full", "closed"):
        code, said = lose(words, place)
        assert code == Exit.ERROR
        assert "The answer could not be shown" in said


@pytest.mark.parametrize("words", [*QUERIES, "undo 8 --preview"])
def test_a_reader_who_has_seen_enough_is_no_error(lose: Lose, words: str) -> None:
    assert lose(words, "left") == (Exit.OK, "")


def test_a_refusal_is_one_wherever_it_is_said(lose: Lose, home: Path) -> None:
    had = rows(home)
    for place in PLACES:
        code, said = lose("do attack nobody guard longbow --distance 40", place)
        assert (code, rows(home)) == (Exit.NOT_FOUND, had)
        assert "nobody" in said


def test_without_any_stream_the_exit_code_tells(
    table: RunRollbook, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    with monkeypatch.context() as streams:
        for name in ("stdin", "stdout", "stderr"):
            streams.setattr(sys, name, None)
        assert main(["do", "note", "x"]) == Exit.UNSEEN
        assert main(["log"]) == Exit.ERROR
        assert main(["undo", "99", "--why", "x", "--yes"]) == Exit.NOT_FOUND
    assert "x" in table("log").out


def test_signs_that_the_terminal_does_not_have_lose_no_answer(
    table: RunRollbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as streams:
        narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        streams.setattr(sys, "stdout", narrow)
        assert main(["do", "note", "Þorgrímur – 🐉"]) == Exit.OK


def test_a_process_ends_without_a_word_of_pythons(table: RunRollbook, home: Path) -> None:
    """What waits in a stream is written once more when Python ends."""
    words = f"{shlex.quote(sys.executable)} -m rollbook"
    for end, code in ((">/dev/full", 7), (">&-", 7), ("| true; exit ${PIPESTATUS[0]}", 7)):
        done = subprocess.run(["bash", "-c", f"{words} do note x {end}"], capture_output=True, text=True, check=False)
        assert done.returncode == code, (end, done)
        assert done.stderr.count("\n") == 1 and "is recorded, but the answer could not be shown" in done.stderr


@pytest.mark.parametrize("way", ["python", "node"])
def test_a_verifier_whose_reader_has_gone_ends_quietly(table: RunRollbook, home: Path, way: str) -> None:
    assert table(f"export {home}/all.jsonl").code == 0
    program = (
        f"{sys.executable} {home}/{VERIFIER}"
        if way == "python"
        else f"{needed('node')} {HOUSE}/adapters/exports/{SCRIPTS[-1]}"
    )
    for end, said in (("| true", ""), (">&-", ""), (">/dev/full", "The answer could not be written")):
        line = f"{program} {home}/all.jsonl {end}; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "Traceback" not in done.stderr and "at " not in done.stderr, done
        assert done.stderr == "" or done.stderr.startswith(said or "?"), done
