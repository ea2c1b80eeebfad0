"""Nothing stored or typed reaches a terminal raw: every command is asked about a campaign whose every text is hostile."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path

import click
import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.cli.app import COMMANDS, command_named
from rollbook.adapters.cli.debugging import debug_log
from rollbook.adapters.cli.errors import report
from rollbook.adapters.line_commands.json import json_line
from tests.support import hostile
from tests.support.command_line import move_in
from tests.support.hostile import RAW, STORED, TYPED
from tests.support.rewriting import write_again
from tests.support.terminal import ROOT, Terminal

CODE = ROOT / "adapters" / "cli"
ROBIN, GUARD = f"{STORED}robin", f"{STORED}guard"
COLOURS = re.compile(r"\x1b\[(?:\d{1,3}(?:;\d{1,3})*)?m")
"""What our own colours look like; no hostile text holds one."""

USES: dict[str, list[list[str]]] = {
    "demo": [[]],
    "new": [[f"Other {TYPED}", "--ruleset", "storytoken"], ["Other", "--ruleset", "storytoken", "--set", f"a={TYPED}"]],
    "campaigns": [[]],
    "rulesets": [[], ["storytoken"]],
    "verbs": [[], ["attack"]],
    "new-ruleset": [["Salt and Smoke", "salt-\u202e"], [f"Salt {TYPED}", "salt"], ["Salt", "hostile.db"]],
    "completion": [["bash"], [STORED]],
    "help": [[], ["dice"]],
    "join": [[f"Marian {STORED}", "--kind", "npc", "--hp", "3", "--ac", "12"], ["--like", GUARD]],
    "bestiary": [[], [GUARD, "--as", "wolf"]],
    "do": [
        ["note", TYPED],
        ["attack", ROBIN, GUARD, f"{STORED}bow", "--distance", "30", "--dice", "14,4"],
        ["harm", GUARD, "1"],
    ],
    "play": [["odd.session"]],
    "x-card": [[], ["--resume"]],
    "status": [[], ["--for", f"player:{STORED}mira"]],
    "recap": [[], ["-n", "2"]],
    "map": [[], ["--for", f"player:{STORED}mira"]],
    "sheet": [[], [ROBIN], [ROBIN, "--all"], [GUARD, "--at", "11"]],
    "why": [[ROBIN, "hp"], [GUARD, "hp"]],
    "diff": [["1", "last"], ["8", "last", GUARD]],
    "log": [[], ["--all"], ["--corrections"], [f"who={STORED}"], ["--search", STORED], [f'who="{GUARD}"'], ["-n", "3"]],
    "xp": [[], [ROBIN]],
    "odds": [["attack", ROBIN, GUARD, f"{STORED}bow"], ["roll", "2d6"]],
    "stats": [[], ["--details"], ["--who", ROBIN]],
    "pictures": [[], ["--json"], [f"who={STORED}"], ["--svg", "drawn-\u202e"], ["--for", f"player:{STORED}mira"]],
    "replay": [[], ["--json"], ["1-", "--as-corrected"], ["--for", f"player:{STORED}mira"]],
    "undo": [["15", "--why", TYPED, "--yes"], ["12", "--preview"]],
    "redo": [["10", "--why", STORED, "--yes"]],
    "amend": [["11", f"weapon={STORED}bow", "distance=60", "--why", STORED, "--yes"]],
    "insert": [
        ["15", "note", TYPED, "--preview"],
        ["15", "attack", ROBIN, GUARD, f"{STORED}bow", "!", "14", "4", "--why", STORED, "--yes"],
    ],
    "override": [["15", "--dice", "1,2", "--why", STORED, "--yes"]],
    "reroll": [["--who", ROBIN]],
    "adopt": [["grid", "--preview"], ["grid", "--yes", "--why", STORED]],
    "fork": [["--at", "5", "--why", STORED]],
    "timelines": [[]],
    "compare": [["1"]],
    "rerun": [["--ruleset", "grid", "--why", STORED]],
    "take-over": [["1", "--preview"], ["1", "--yes", "--why", STORED]],
    "audit": [[]],
    "receipt": [[]],
    "export": [
        ["out-\x1b[6n.jsonl"],
        ["mira.jsonl", "--for", f"player:{STORED}mira"],
        ["fight.jsonl", "--where", "scene=1"],
    ],
    "import": [["whole.jsonl", "--as", "Again"], ["odd.session"]],
    "backup": [["copy-\u202e.db"]],
    "restore": [["copy.db"]],
    "move": [["moved-\u202e.db"], ["again.db"]],
    "store": [["copy", "hostile.db", "other-\u202e.db"], ["copy", STORED, STORED], ["verify", "--processes", "1"]],
    "rebuild": [[]],
    "doctor": [[]],
    "delete-campaign": [[STORED, "--yes"], ["hostile-campaign", "--yes"]],
    "reveal": [[GUARD], ["12"]],
    "redact": [["12", "--yes", "--why", STORED]],
    "seat-link": [[STORED], ["--qr"], [STORED, "--revoke"], ["hostile-campaign", STORED]],
    "host": [["init", STORED], ["tables", TYPED], ["invite", STORED, STORED]],
    "token": [["new", "hostile-campaign", STORED], ["list", "hostile-campaign"], ["revoke", "hostile-campaign", "1"]],
    "serve": [],
    "watch": [],
}
"""How each command is used; watch and serve, which go on until somebody ends them, and replay have tests of their own."""


def needed(name: str) -> list[str]:
    """Something for every argument that a command must have, all of it hostile."""
    mine = [each for each in command_named(name).params if isinstance(each, click.Argument) and each.required]
    return [TYPED] * sum(max(each.nargs, 1) for each in mine)


def typed_into_everything(name: str) -> Iterator[list[str]]:
    """A command with hostile words for its arguments, and for every option that takes any."""
    yield needed(name)
    yield [*needed(name), TYPED]
    for option in command_named(name).params:
        if isinstance(option, click.Option) and not option.is_flag and option.name != "store":
            yield [*(USES[name][0] if USES[name] else []), option.opts[-1], TYPED]


@pytest.fixture(scope="session")
def hostile_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the hostile campaign, made once: tests get copies."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "played.session").write_text(hostile.SCRIPT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch, redirect_stdout(StringIO()):
        move_in(folder, monkeypatch)
        assert main(["play", str(folder / "played.session")]) == 0
    books, seeds = folder / "books", folder / "state" / "rollbook" / "seeds"
    write_again(books / "rollbook.db", seeds, folder / "hostile.db", hostile.hostile_text)
    shutil.rmtree(books)
    (folder / "state" / "rollbook" / "last.json").unlink()
    return folder


@pytest.fixture
def there(home: Path, hostile_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(hostile_home, home, dirs_exist_ok=True)
    monkeypatch.setenv("ROLLBOOK_STORE", str(home / "hostile.db"))
    monkeypatch.chdir(home)
    (home / "odd.session").write_text(f"note {STORED}\n{STORED} {STORED}\n", encoding="utf-8", newline="\n")
    return home


@pytest.fixture
def said(there: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[list[str]], str]:
    """All that a command says, on both ways."""

    def call(words: list[str]) -> str:
        capsys.readouterr()
        main(words)
        out, err = capsys.readouterr()
        assert "Something inside" not in err, (words, err)
        return str(out + err)

    return call


def raw(text: str) -> list[str]:
    """What a terminal would take for a command, or could not show, beside our own colours."""
    return sorted({letter for letter in COLOURS.sub("", text) if not letter.isprintable() and letter != "\n"})


def prepared(name: str, said: Callable[[list[str]], str]) -> None:
    """What a command needs to be there before it."""
    if name in ("compare", "take-over", "timelines"):
        said(["fork", "--at", "9", "--why", STORED])
        said(["do", "-c", "~1", "harm", GUARD, "2"])
    if name == "import":
        said(["export", "whole.jsonl"])
    if name == "restore":
        said(["backup", "copy.db"])


def test_no_command_is_left_out() -> None:
    assert set(USES) == set(COMMANDS)


@pytest.mark.parametrize("name", [name for name in USES if USES[name]])
def test_no_command_lets_anything_raw_out(
    name: str, said: Callable[[list[str]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(name, said)
    for words in USES[name]:
        for form in ([], ["--json"]):
            assert raw(said([name, *form, *words])) == [], (name, words)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    for words in USES[name]:
        assert raw(said([name, *words])) == [], (name, words)


@pytest.mark.parametrize("name", [name for name in USES if USES[name]])
def test_whatever_is_typed_into_a_command_comes_back_harmless(name: str, said: Callable[[list[str]], str]) -> None:
    for words in typed_into_everything(name):
        assert raw(said([name, *words])) == [], (name, words)
        assert raw(said(["--json", name, *words])) == [], (name, words)


@pytest.mark.parametrize("as_json", [True, False])
def test_where_something_went_wrong_is_shown_harmless(capsys: pytest.CaptureFixture[str], *, as_json: bool) -> None:
    try:
        raise ValueError(STORED) from KeyError(TYPED)
    except ValueError as fault:
        with debug_log():
            assert report(fault, as_json=as_json) == 1
    shown = capsys.readouterr().err
    assert "Traceback" in shown and "test_escapes.py" in shown and "KeyError" in shown
    assert raw(shown) == []


def test_json_loses_nothing() -> None:
    text = f"{TYPED} é✓"
    written = json_line({text: [text]})
    assert json.loads(written) == {text: [text]}
    assert raw(written) == [] and "é✓" in written


def test_json_of_the_log_says_exactly_what_is_stored(said: Callable[[list[str]], str]) -> None:
    lines = said(["log", "--json"]).splitlines()
    assert any(STORED in json.loads(line)["result"] for line in lines)


@pytest.mark.parametrize(
    "variable",
    ["ROLLBOOK_STORE", "ROLLBOOK_CAMPAIGN", "ROLLBOOK_SEEDS", "ROLLBOOK_BESTIARY", "PAGER", "XDG_STATE_HOME"],
)
def test_values_of_the_environment_come_back_harmless(
    variable: str, said: Callable[[list[str]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, TYPED.replace("\x00", "").replace("\ud83d", ""))
    for words in (
        ["log"],
        ["campaigns"],
        ["bestiary"],
        ["do", "note", "x"],
        ["export", "all.jsonl"],
        ["backup", "copy.db"],
    ):
        assert raw(said(words)) == [], (variable, words)


@pytest.mark.parametrize(
    "words", ["sheet ", "do attack ", "why ", "log -c ", "do note x --seat ", "undo --seat ", "compare ", "do harm "]
)
def test_tab_offers_nothing_that_cannot_be_shown(words: str, there: Path, completions) -> None:
    assert [word for word in completions(f"rollbook {words}") if not word.isprintable()] == []


def test_the_prompt_its_questions_and_its_keys_let_nothing_raw_out(there: Path) -> None:
    terminal = Terminal.running("play")
    shown = terminal.until("hostile-campaign")
    for line in ("log", "sheet", "status", "undo 13 --why x"):
        shown += terminal.until("> ")
        terminal.say(line)
    shown += terminal.until("[y/N]")
    terminal.say("n")
    shown += terminal.until("> ")
    terminal.press("sheet \t\t")
    terminal.press("\x15quit\n")
    assert terminal.ended() == 0
    for sequence in RAW:
        if sequence not in ("\r", "\x08"):  # a terminal's own
            assert sequence not in shown, ascii(sequence)


def test_the_second_screen_lets_nothing_raw_out(there: Path) -> None:
    terminal = Terminal.running("watch")
    shown = terminal.until("q leaves")
    terminal.press("q")
    assert terminal.ended() == 0
    for sequence in RAW:
        if sequence != "\r":
            assert sequence not in shown, ascii(sequence)


def test_a_replay_lets_nothing_raw_out(there: Path) -> None:
    terminal = Terminal.running("replay", "1-", "--paused")
    shown = terminal.until("keys")
    for key in ("\x1b[F", "C", "v"):
        terminal.press(key)
        shown += terminal.until("keys")
    terminal.press("q")
    assert terminal.ended() == 0
    for sequence in RAW:
        if sequence != "\r":
            assert sequence not in shown, ascii(sequence)


def test_a_long_answer_goes_to_the_pager_harmless(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = there / "seen"
    monkeypatch.setenv("LINES", "5")
    terminal = Terminal.running("log", rows=5, pager=f"tee {seen}")
    assert terminal.ended() == 0
    assert "strikes at" in seen.read_text(encoding="utf-8") and raw(seen.read_text(encoding="utf-8")) == []


def test_what_is_a_formula_a_program_or_a_statement_elsewhere_changes_nothing_here(
    there: Path, said: Callable[[list[str]], str]
) -> None:
    injected = "x'; DROP TABLE session_log; --"
    for words in (
        ["log", "--search", injected],
        ["log", f'who="{injected}"'],
        ["sheet", injected],
        ["do", "note", injected],
    ):
        said(words)
    assert injected in said(["log", "-n", "1"])
    with closing(sqlite3.connect(there / "hostile.read.db")) as connection, connection:
        assert connection.execute("SELECT COUNT(*) FROM session_log").fetchone()[0] > 10


def test_words_reach_a_terminal_in_two_places_only() -> None:
    by_click, by_python = r"click\.(?:echo|secho|prompt|confirm|style)\(", r"(?<![.\w])(?<!def )(?:print|input)\("
    direct = re.compile(rf"{by_click}|{by_python}|(?<!Clean)Console\(|std(?:out|err)\.write\(")
    found = {
        f"{path.relative_to(CODE)}: {line.strip()}"
        for path in CODE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if direct.search(line) and path.name not in ("terminal.py", "console.py")
    }
    assert found == ALLOWED


ALLOWED = {
    "prompt.py: typed = input(asked)",
    r'prompt.py: sys.stdout.write("\x1b[A\x1b[2K" * rows + f"\r{prompt}{X_CARD}\n")',
}
"""The prompt, whose text is made harmless where it is put together, and what removes a line of it."""
