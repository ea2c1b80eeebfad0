"""The X-card stops a scene and leaves no trace of who raised it; rewinding takes the scene back by the ordinary means.

Two histories in which different people raised the card are the same in every byte of every file, in the order in which
files were touched, and in everything that any command says. The same comparison tells an ordinary action apart.
"""

from __future__ import annotations

import itertools
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import attrs
import pytest

from adapters import paths
from adapters.book import open_book
from adapters.cli import main
from tests.support.terminal import Terminal

HOUSE = Path(__file__).resolve().parents[3]
LONG_AGO = 1_700_000_000
"""Seconds since 1970: when every file of the folder was last touched, as far as it knows."""

PEOPLE = ("robin", "mira")

STORY = """\
campaign "The Mill" storytoken round_seconds=6
take-seat Ana --role gm
take-seat robin
take-seat mira
open-session First
join "Robin Hood" --id hood --seat robin --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 ! 5
join Guard --kind npc --hp 18 --ac 12
give hood longbow --use weapon:medium-ranged
scene The mill
attack hood guard longbow --distance 40 --seat robin ! 14 4
note The guard shouts.
roll 1d20
"""
"""Twelve actions: #9 frames the scene, #10 is the attack."""

QUESTIONS = (
    "log",
    "log --all --json",
    "log --corrections --json",
    "sheet",
    "sheet hood --json",
    "xp --json",
    "audit",
    "audit --json",
    "diff 12 now --json",
    "campaigns --json",
    "export {out}",
)


@attrs.frozen
class Traces:
    """All that is left after something was done: files, what was touched in which order, and what was said."""

    files: dict[str, str]
    modes: dict[str, int]
    touched: dict[str, int]
    looked_at: frozenset[str]
    said: tuple[tuple[int, str, str], ...]

    def differences(self, other: Traces) -> list[str]:
        """Everything by which somebody could tell the two apart."""
        found = [f"file {name}" for name in self.files.keys() ^ other.files.keys()]
        found += [f"bytes of {name}" for name in self.files if self.files[name] != other.files.get(name)]
        found += [f"mode of {name}" for name in self.modes if self.modes[name] != other.modes.get(name)]
        found += [f"{name} was touched" for name in self.touched.keys() ^ other.touched.keys()]
        found += [f"{name} was looked at" for name in self.looked_at ^ other.looked_at]
        for one, two in itertools.permutations(self.touched.keys() & other.touched.keys(), 2):
            if self.touched[one] < self.touched[two] and other.touched[one] > other.touched[two]:
                found.append(f"{one} was touched before {two}")
        return found + [
            f"said {mine!r}, {theirs!r}" for mine, theirs in zip(self.said, other.said, strict=True) if mine != theirs
        ]


class Table:
    """A home in which the same campaign is put back, byte for byte, before somebody does something."""

    def __init__(self, home: Path, beside: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home, self.beside, self.capsys = home, beside, capsys
        self.origin = beside / "origin"
        beside.mkdir()

    def keep(self) -> None:
        shutil.copytree(self.home, self.origin)

    def put_back(self) -> None:
        for path in self.home.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(self.origin, self.home, dirs_exist_ok=True)
        for path in (*self.home.rglob("*"), self.home):
            os.utime(path, (LONG_AGO, LONG_AGO))

    def rollbook(self, words: str) -> tuple[int, str, str]:
        self.capsys.readouterr()
        code = main(shlex.split(words))
        said = self.capsys.readouterr()
        return int(code), said.out, said.err

    def left_by(self, do: Callable[[], Any], *, wal: bool = False) -> Traces:
        """What is left when it was done at a fixed moment with fixed chance, and what the commands say afterwards."""
        self.put_back()
        held = [_held(path) for path in self.home.rglob("*.db")] if wal else []
        with fixed():
            first = do()
            times, looked_at, files = self.times(), self.looked_at(), self.files()
            said = [self.rollbook(words.format(out=self.beside / "out.jsonl")) for words in QUESTIONS]
        exported = self.beside / "out.jsonl"
        files["the export"] = exported.read_bytes().hex()
        exported.unlink()
        for connection in held:
            connection.close()
        modes = {str(path.relative_to(self.home)): path.stat().st_mode for path in self.home.rglob("*")}
        return Traces(files, modes, times, looked_at, (first if isinstance(first, tuple) else (0, "", ""), *said))

    def times(self) -> dict[str, int]:
        found = {str(path.relative_to(self.home)): path.stat().st_mtime_ns for path in self.home.rglob("*")}
        return {name: at for name, at in found.items() if at != LONG_AGO * 1_000_000_000}

    def looked_at(self) -> frozenset[str]:
        every = ((path, path.stat().st_atime_ns) for path in self.home.rglob("*") if path.is_file())
        return frozenset(str(path.relative_to(self.home)) for path, at in every if at != LONG_AGO * 1_000_000_000)

    def files(self) -> dict[str, str]:
        every = (path for path in self.home.rglob("*") if path.is_file())
        return {str(path.relative_to(self.home)): sha256(without_salts(path)).hexdigest() for path in every}


def _held(path: Path) -> sqlite3.Connection:
    """Somebody who reads meanwhile, so that the write-ahead log stays where it is."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def without_salts(path: Path) -> bytes:
    """The bytes of a file without what SQLite draws at random for a write-ahead log, and the sums over it."""
    data = bytearray(path.read_bytes())
    if path.name.endswith("-wal") and data:
        page = int.from_bytes(data[8:12], "big")
        data[16:32] = bytes(16)
        for frame in range(32, len(data), 24 + page):
            data[frame + 8 : frame + 24] = bytes(16)
    if path.name.endswith("-shm"):
        data[24:48] = data[72:96] = bytes(24)
    return bytes(data)


@contextmanager
def fixed() -> Iterator[None]:
    """A clock that ticks once for every look, and chance that comes out the same."""
    ticks, drawn = itertools.count(1_800_000_000_000_000_000, 1_000_000), itertools.count()

    def token(size: int = 32) -> bytes:
        return sha256(b"%d" % next(drawn)).digest()[:size]

    with (
        patch("time.time_ns", lambda: next(ticks)),
        patch("secrets.token_bytes", token),
        patch("secrets.token_hex", lambda size=32: token(size).hex()),
    ):
        yield


@pytest.fixture
def mill(home: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> Table:
    """The mill, with a card that nobody has raised yet."""
    table = Table(home, tmp_path_factory.mktemp("beside") / "kept", capsys)
    script = table.beside / "mill.session"
    script.write_text(STORY, encoding="utf-8")
    with fixed():
        assert table.rollbook(f"play {script}")[0] == 0
    table.keep()
    return table


Way = Callable[[Table, str], Any]


def at_the_prompt(table: Table, seat: str) -> tuple[int, str, str]:
    lines = iter([f"x-card --seat {seat}", "quit"])
    with patch("builtins.input", lambda _: next(lines)), patch.object(sys.stdin, "isatty", lambda: True):
        return table.rollbook("play")


def by_a_script(table: Table, seat: str) -> tuple[int, str, str]:
    script = table.beside / "card.session"
    script.write_text(f"x-card --seat {seat}\n", encoding="utf-8")
    return table.rollbook(f"play {script}")


def by_the_environment(table: Table, seat: str) -> tuple[int, str, str]:
    named = dict.fromkeys(("USER", "LOGNAME", "USERNAME", "ROLLBOOK_SEAT", "ROLLBOOK_USER", "SUDO_USER"), seat)
    with patch.dict(os.environ, named):
        return table.rollbook("x-card")


def by_the_library(table: Table, seat: str) -> tuple[int, str, str]:
    book = open_book(paths.store_path(os.environ["ROLLBOOK_STORE"]), paths.seeds_folder())
    with book:
        entry = book.campaign("the-mill").do("x-card", seat=seat, reason=f"{seat} is afraid", secret=seat == "mira")
        book.campaign("the-mill").project()
    return 0, repr(entry), ""


WAYS: dict[str, Way] = {
    "x-card": lambda table, seat: table.rollbook(f"x-card --seat {seat}"),
    "before the command": lambda table, seat: table.rollbook(f"x-card --acting-seat {seat}"),
    "as JSON": lambda table, seat: table.rollbook(f"--json x-card --seat {seat}"),
    "do x-card": lambda table, seat: table.rollbook(f"do x-card --seat {seat}"),
    "do x-card, acting": lambda table, seat: table.rollbook(f"do x-card --acting-seat={seat} --json"),
    "the prompt": at_the_prompt,
    "a script": by_a_script,
    "the environment": by_the_environment,
    "the library": by_the_library,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_differs_by_who_raised_the_card(mill: Table, way: Way) -> None:
    one, two = (mill.left_by(lambda seat=seat: way(mill, seat)) for seat in PEOPLE)
    assert one.differences(two) == []
    assert "books/rollbook.db" in one.touched


def test_nothing_differs_in_the_write_ahead_logs_either(mill: Table) -> None:
    one, two = (mill.left_by(lambda seat=seat: mill.rollbook(f"x-card --seat {seat}"), wal=True) for seat in PEOPLE)
    assert {"books/rollbook.db-wal", "books/rollbook.read.db-wal"} <= one.files.keys()
    assert one.differences(two) == []


def test_nothing_differs_after_the_session_went_on(mill: Table) -> None:
    def played_on(seat: str) -> tuple[int, str, str]:
        mill.rollbook(f"x-card --seat {seat}")
        mill.rollbook("do note 'A moment.'")
        mill.rollbook("x-card --rewind --yes")
        mill.rollbook("do roll 1d20 --seat mira")
        mill.rollbook(f"do x-card --seat {seat}")
        mill.rollbook("undo last --why oops --yes")
        mill.rollbook("x-card --skip")
        mill.rollbook("rebuild")
        return mill.rollbook("do close-session")

    one, two = (mill.left_by(lambda seat=seat: played_on(seat)) for seat in PEOPLE)
    assert one.differences(two) == []


@pytest.mark.parametrize("wal", [False, True])
def test_the_comparison_tells_an_ordinary_action_apart(mill: Table, wal: bool) -> None:
    one, two = (
        mill.left_by(lambda seat=seat: mill.rollbook(f"do note hush --seat {seat}"), wal=wal) for seat in PEOPLE
    )
    found = one.differences(two)
    ending = "-wal" if wal else ""
    assert f"bytes of books/rollbook.db{ending}" in found
    assert f"bytes of books/rollbook.read.db{ending}" in found
    assert "bytes of the export" in found
    assert sum(difference.startswith("said") for difference in found) >= 3


def test_the_comparison_tells_apart_what_was_touched_in_another_order(mill: Table) -> None:
    def touched(seat: str) -> None:
        first, second = ("a", "b") if seat == "robin" else ("b", "a")
        for at, name in enumerate((first, second), 1):
            (mill.home / name).write_text("")
            os.utime(mill.home / name, (LONG_AGO + at, LONG_AGO + at))

    one, two = (mill.left_by(lambda seat=seat: touched(seat)) for seat in PEOPLE)
    assert any("was touched before" in difference for difference in one.differences(two))


STILL = """\
import itertools, secrets, time
from hashlib import sha256
ticks, drawn = itertools.count(1_800_000_000_000_000_000, 1_000_000), itertools.count()
token = lambda size=32: sha256(b"%d" % next(drawn)).digest()[:size]
time.time_ns = lambda: next(ticks)
secrets.token_bytes, secrets.token_hex = token, lambda size=32: token(size).hex()
"""


def test_nothing_differs_between_two_processes_of_two_people(mill: Table) -> None:
    (mill.beside / "sitecustomize.py").write_text(STILL, encoding="utf-8")

    def process(seat: str) -> tuple[int, str, str]:
        env = {**os.environ, "USER": seat, "LOGNAME": seat, "ROLLBOOK_SEAT": seat, "PYTHONPATH": str(mill.beside)}
        command = [sys.executable, "-m", "adapters.cli", "x-card", "--seat", seat]
        done = subprocess.run(command, env=env, capture_output=True, text=True, cwd=HOUSE, check=False, timeout=60)
        return done.returncode, done.stdout, done.stderr

    one, two = (mill.left_by(lambda seat=seat: process(seat)) for seat in PEOPLE)
    assert one.said[0][0] == 0
    assert one.differences(two) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_prompt_leaves_no_name_on_the_screen_and_none_within_reach_of_a_key(mill: Table) -> None:
    terminal = Terminal.running("play")
    terminal.answer("the-mill> ", "x-card --seat mira")
    terminal.until("\x1b[A\x1b[2K\rthe-mill> x-card\r\n")
    terminal.until("the X-card is raised")
    terminal.answer("the-mill> ", "\x1b[A")
    terminal.answer("the-mill> ", "quit")
    assert terminal.ended() == 0
    assert [line["verb"] for line in log(mill).values()].count("x-card") == 1


# What the command says and takes.


def test_the_card_asks_for_nothing_and_says_that_the_scene_pauses(mill: Table) -> None:
    code, out, err = mill.rollbook("x-card")
    assert (code, err) == (0, "")
    assert "the X-card is raised; the scene pauses" in out
    assert "The X-card lies on the table" in out
    assert "The X-card lies on the table" in mill.rollbook("do note later")[1]
    mill.rollbook("x-card --resume")
    assert "X-card" not in mill.rollbook("do note later")[1]


def test_the_help_does_not_offer_a_seat_or_a_reason(mill: Table) -> None:
    _, out, _ = mill.rollbook("x-card --help")
    assert "--seat" not in out
    assert "--why" not in out


@pytest.mark.parametrize(
    "words", ["x-card --why spiders", "x-card spiders", "x-card --secret", "x-card --to 9", "x-card --yes"]
)
def test_a_reason_is_not_taken_not_even_if_it_is_given(mill: Table, words: str) -> None:
    before = mill.files()
    code, _, err = mill.rollbook(words)
    assert code == 2
    assert "spiders" not in err
    assert mill.files()["books/rollbook.db"] == before["books/rollbook.db"]


@pytest.mark.parametrize("seat", ["nobody-of-that-name", "Ana", "ROBIN"])
def test_a_seat_is_not_even_looked_at(mill: Table, seat: str) -> None:
    plain = mill.left_by(lambda: mill.rollbook("x-card"))
    assert plain.differences(mill.left_by(lambda: mill.rollbook(f"x-card --seat {seat}"))) == []


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("resume", "the scene goes on"),
        ("skip", "the scene is passed over"),
        ("adjust", "the scene goes on in another way"),
    ],
)
def test_the_gm_answers_and_the_answer_stands_in_the_log(mill: Table, how: str, words: str) -> None:
    assert mill.rollbook(f"x-card --{how}")[0] == 4
    mill.rollbook("x-card")
    assert mill.rollbook(f"x-card --{how} --seat mira")[0] == 4
    assert f"after x card   {words}\n" in mill.rollbook(f"x-card --{how}")[1]
    assert f"after x card   {words}\n" in mill.rollbook("log -n 1")[1]


def test_the_table_goes_on_in_one_way(mill: Table) -> None:
    mill.rollbook("x-card")
    code, _, err = mill.rollbook("x-card --skip --rewind --yes")
    assert (code, "--skip or --rewind, not both" in err) == (2, True)
    assert mill.rollbook("x-card --skip")[0] == 0


# Rewinding.


def log(table: Table) -> dict[int, dict[str, Any]]:
    lines = [json.loads(line) for line in table.rollbook("log --json")[1].splitlines()]
    return {line["action"]: line for line in lines}


def test_rewinding_takes_back_the_whole_scene_and_nothing_before_it(mill: Table) -> None:
    mill.rollbook("x-card --seat mira")
    mill.rollbook("do note hush")
    code, out, _ = mill.rollbook("x-card --rewind --yes")
    assert (code, "undone" in out, "10 of 18 → 18 of 18" in out) == (0, True, True)
    lines = log(mill)
    assert [action for action, line in lines.items() if line["status"] == "undone"] == [10, 11, 12, 14]
    assert {lines[action]["why"] for action in (10, 11, 12, 14)} == {"rewound after the X-card"}
    assert lines[15]["result"] == "the scene is undone and played again"
    assert mill.rollbook("audit")[0] == 0


def test_rewinding_goes_back_as_far_as_an_action_that_stands(mill: Table) -> None:
    mill.rollbook("x-card")
    assert mill.rollbook("x-card --rewind --to '#10' --yes")[0] == 0
    assert [action for action, line in log(mill).items() if line["status"] == "undone"] == [11, 12]


def test_rewinding_is_shown_first_and_asked(mill: Table) -> None:
    mill.rollbook("x-card")
    before = mill.files()["books/rollbook.db"]
    assert mill.rollbook("x-card --rewind")[0] == 2
    assert "still lies on the table" in mill.rollbook("x-card --rewind --preview")[1]
    told = json.loads(mill.rollbook("x-card --rewind --preview --json")[1])
    assert (told["applied"], [one["action"] for one in told["consequences"]]) == (False, [10, 11, 12])
    assert mill.files()["books/rollbook.db"] == before


def test_rewinding_is_answered_as_json_in_two_lines(mill: Table) -> None:
    mill.rollbook("x-card")
    told, answer = (json.loads(line) for line in mill.rollbook("x-card --rewind --yes --json")[1].splitlines())
    assert (told["applied"], answer["events"]) == (True, [{"event": "XCardAnswered", "how": "rewind"}])


def test_who_sits_down_and_earlier_answers_are_not_rewound(mill: Table) -> None:
    mill.rollbook("x-card")
    mill.rollbook("x-card --adjust")
    mill.rollbook("do take-seat Lee")
    mill.rollbook("x-card")
    assert mill.rollbook("x-card --rewind --yes")[0] == 0
    assert [action for action, line in log(mill).items() if line["status"] == "undone"] == [10, 11, 12]


@pytest.mark.parametrize(
    ("before", "words", "said"),
    [
        ((), "--rewind --yes", "No X-card lies on the table"),
        (("x-card",), "--rewind --yes --seat mira", "Only the GM"),
        (("x-card",), "--rewind --yes --to 8", "The scene begins with #9"),
        (("x-card",), "--rewind --yes --to last", "Nothing has happened after #13"),
        (("do scene 'The road'", "x-card"), "--rewind --yes", "Nothing has happened after #13"),
        (("do close-session", "do open-session Second", "x-card"), "--rewind --yes", "No scene was framed"),
        (
            ("do close-session", "do open-session Second", "x-card"),
            "--rewind --yes --to 3",
            "The session begins with #14",
        ),
        (("x-card",), "--rewind --yes --to 99", "There is no action #99"),
    ],
)
def test_what_cannot_be_rewound_is_said_and_nothing_is_undone(
    mill: Table, before: tuple[str, ...], words: str, said: str
) -> None:
    for line in before:
        assert mill.rollbook(line)[0] == 0
    stored = mill.files()["books/rollbook.db"]
    code, _, err = mill.rollbook(f"x-card {words}")
    assert (code in (3, 4), said in err) == (True, True), err
    assert mill.files()["books/rollbook.db"] == stored


def test_rewind_is_no_answer_where_nothing_was_undone(mill: Table) -> None:
    mill.rollbook("x-card")
    code, _, err = mill.rollbook("do after-x-card rewind")
    assert (code, "rollbook x-card --rewind does both" in err) == (4, True)


def test_a_script_rewinds_without_asking(mill: Table) -> None:
    script = mill.beside / "again.session"
    script.write_text("x-card\nx-card --rewind --to 11\n", encoding="utf-8")
    assert mill.rollbook(f"play {script}")[0] == 0
    assert [action for action, line in log(mill).items() if line["status"] == "undone"] == [12]
