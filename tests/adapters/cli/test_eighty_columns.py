"""At a real terminal of 80 columns no line is longer, nothing is cut without an ellipsis, no word is broken."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from rollbook.adapters.cli.app import COMMANDS
from rollbook.adapters.cli.drawing import fitting
from rollbook.adapters.line_commands.styled import Text
from tests.support.example_sessions import EXAMPLE_OF
from tests.support.pty_screen import COLUMNS, on_screen

ROOT = Path(__file__).resolve().parents[3]
WIDE = 1_000
"""Columns of a terminal on which everything has room."""

ASKING = (
    *(
        "log",
        "log --all",
        "log --corrections",
        "log who=nobody",
        "xp",
        "status",
        "recap",
        "map",
        "sheet",
        "sheet nobody",
        "diff 1 last",
    ),
    *(
        "stats",
        "stats --details",
        "pictures",
        "audit",
        "audit --dice",
        "verbs",
        "rulesets",
        "timelines",
        "campaigns",
        "receipt",
    ),
    *(
        "odds roll 2d6+1",
        "odds roll 1d20",
        "bestiary",
        "help",
        "help first-evening",
        "help nothing",
        "doctor",
        "seat-link nobody",
    ),
    *("do harm nobody 3", "undo 3 --preview", "undo 999", "new", "do note", "do attack", "export --nonsense", "dance"),
)
"""Asked of one store, whatever the width."""

SAYING = (
    *("new 'A Campaign of Another Name' --ruleset {other} -c {campaign}", "backup kept.db", "export whole.jsonl"),
    *("export table.jsonl --for table", "import whole.jsonl --as 'The Same, From a File'", "rebuild", "receipt"),
    *("do note 'words that are said, and then removed for good' --to gm -c {campaign}", "log -n 2 -c {campaign}"),
    *("fork -c {campaign} --at 12 --why 'What if nobody had come to the mill that night?'", "timelines -c {campaign}"),
    *("compare -c {campaign}", "take-over 1 --preview -c {campaign}", "rerun --ruleset {other} -c {campaign}"),
    *(
        "undo last -c {campaign}",
        "undo last --yes --why 'a slip of the tongue' -c {campaign}",
        "redo last --yes --why 'it was right' -c {campaign}",
    ),
    *(
        "amend last text='others, which are longer than those that were' --preview -c {campaign}",
        "reroll -c {campaign}",
    ),
    *(
        "insert 10 note 'words that were forgotten at that long session, and are said here' --preview -c {campaign}",
        "insert 10 note 'words that were forgotten at that long session' --yes -c {campaign}",
    ),
    *("override last --to 3 -c {campaign}", "adopt {other} --preview -c {campaign}", "x-card -c {campaign}"),
    *("x-card --resume -c {campaign}", "reveal nobody -c {campaign}", "redact 999 -c {campaign}"),
    *("bestiary {person} --as somebody -c {campaign}", "bestiary -c {campaign}", "join -c {campaign}", "play nowhere"),
    *("token new {campaign} nobody", "token list {campaign}", "token revoke {campaign} 1"),
    *("restore kept.db", "restore kept.db --yes", "move gone.move -c {campaign}", "delete-campaign {campaign}"),
    *("delete-campaign {campaign} --yes", "campaigns", "demo", "store migrate", "store set-back --yes"),
    *("host tables nothing.csv", "host invite nobody Nora"),
    *("new-ruleset 'Salt and Smoke' salt", "new-ruleset 'Salt and Smoke' salt", "new-ruleset Grid grid"),
    *(
        "store copy kept.db other.db",
        "store copy nothing.db other.db",
        "store verify",
        "store verify --json",
        "store dance",
    ),
)
"""Said to copies of one store, which change."""

DRAWN = re.compile(r"[·▕─│┊○●✗╭╮╰╯▁▂▃▄▅▆▇█▏▎▍▌▋▊▉⠀-⣿]+")
"""Frames, bars and spinners, which are no words."""
CHANCE = re.compile(r"\b(?:\d{8}-\d{6}|[0-9a-f]{8,}|[0-9A-Z]{5}(?:-[0-9A-Z]{4,6})+|\d+ [kM]?B|\d\d:\d\d(?::\d\d)?)\b")
"""Codes, times and sizes, which are others in another copy."""
BROKEN_HASH = re.compile(r"\b([0-9a-f]{40,63})\n *([0-9a-f]{1,24})\b")
"""A hash has 64 letters, for which a narrow terminal has no room."""
NEVER_THE_SAME = {"demo", "doctor"}
"""Say what dice showed that nobody typed, and how wide the terminal is."""
INDENTED = 12
"""Columns that may stand before a word that is alone in its line."""
ENDLESS = {"watch", "replay", "serve"}
"""Go on until somebody ends them: what they say is tested at terminals in test_watching.py, test_replay.py and test_serve.py."""


FOR_SHELLS = {"completion"}
"""Print what no person reads."""
SLOW = pytest.mark.slow
EVERY_GAME_AT = [
    pytest.param(game, columns, marks=() if columns == COLUMNS and game in ("storytoken", "russell") else SLOW)
    for columns in (COLUMNS, 60)
    for game in EXAMPLE_OF
]
"""Two games at a usual terminal, and, where everything is run, all of them and at a narrower one."""


@pytest.fixture(params=EXAMPLE_OF)
def game(request: pytest.FixtureRequest, rollbook) -> str:
    assert rollbook(f"play {ROOT}/examples/{EXAMPLE_OF[request.param]}.session").code == 0
    return str(request.param)


def words_of(text: str) -> list[str]:
    return DRAWN.sub(" ", CHANCE.sub("CODE", BROKEN_HASH.sub(r"\1\2", text))).split()


def faults(narrow: dict[str, str], wide: dict[str, str], columns: int) -> list[str]:
    """Lines that are too long, words that are broken or cut without an ellipsis, and words that are lost.

    Lines of JSON are for programs, whatever the width.
    """
    assert narrow.keys() == wide.keys()
    found = []
    for command, said in narrow.items():
        if command.endswith("--json"):
            continue
        found += [f"{command}: too wide: {line}" for line in said.splitlines() if cell_len(line) > columns]
        if command not in NEVER_THE_SAME:
            found += [f"{command}: {fault}" for fault in word_faults(words_of(said), words_of(wide[command]), columns)]
    return found


def word_faults(shown: list[str], whole: list[str], columns: int) -> list[str]:
    """What became of words for which a line has room; longer ones, such as paths, go on in the next line."""
    long = [word for word in whole if len(word) > columns - INDENTED]
    broken = [word for word in shown if word not in whole and not _is_part(word, whole, long)]
    is_cut = any(word.endswith("…") for word in shown)
    lost = [] if is_cut else sorted({*whole} - {*shown, *long})
    return [f"{what}: {' '.join(words)}" for what, words in (("broken", broken), ("lost", lost)) if words]


def _is_part(word: str, whole: list[str], long: list[str]) -> bool:
    is_cut = word.endswith("…") and any(other.startswith(word[:-1]) for other in whole)
    return is_cut or any(word in other for other in long)


def test_every_command_is_asked_or_said_here() -> None:
    said = {line.partition(" ")[0] for line in (*ASKING, *SAYING)}
    assert {*COMMANDS} - said - ENDLESS - FOR_SHELLS == {"why"}, "which is asked of everybody"


@pytest.mark.parametrize(("game", "columns"), EVERY_GAME_AT, indirect=["game"])
def test_in_every_game_every_answer_fits(game: str, rollbook, columns: int) -> None:
    people = [line["character"] for line in rollbook("sheet --json").lines]
    asked = (
        *ASKING,
        *(f"sheet {shlex.quote(who)} --all" for who in people),
        *(f"why {shlex.quote(who)} hp" for who in people),
        f"rulesets {game}",
    )
    wide = on_screen(*asked, columns=WIDE)
    assert len(wide) == len(asked)
    found = faults(on_screen(*asked, columns=columns), wide, columns)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "columns"), EVERY_GAME_AT, indirect=["game"])
def test_in_every_game_whatever_is_done_fits(game: str, rollbook, home: Path, columns: int, tmp_path_factory) -> None:
    names = {
        "campaign": rollbook("campaigns --json").data["campaign"],
        "person": shlex.quote(rollbook("sheet --json").lines[0]["character"]),
        "other": next(key for key in EXAMPLE_OF if key != game),
    }
    lines = [line.format(**names) for line in SAYING]
    before = tmp_path_factory.mktemp("before") / "home"
    shutil.copytree(home, before)
    wide = on_screen(*lines, columns=WIDE, folder=home)
    shutil.rmtree(home)
    shutil.copytree(before, home)
    found = faults(on_screen(*lines, columns=columns, folder=home), wide, columns)
    assert not found, "\n".join(found)


def test_the_help_of_every_verb_fits(game: str, rollbook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    own = [line["verb"] for line in rollbook("verbs --json").lines if line["ruleset"] or game == "grid"]
    said = "".join(rollbook(f"{words}").out for words in ("do --help", *(f"do {verb} --help" for verb in own)))
    assert said.count("Usage:") == len(own) + 1
    assert [line for line in said.splitlines() if cell_len(line) > COLUMNS] == []


def test_the_help_of_every_command_fits(home: Path) -> None:
    said = on_screen("--help", *(f"{name} --help" for name in COMMANDS))
    assert len(said) == len(COMMANDS) + 1
    assert [line for text in said.values() for line in text.splitlines() if cell_len(line) > COLUMNS] == []


def test_a_sheet_takes_at_most_twenty_lines_and_says_how_to_see_the_rest(game: str, rollbook) -> None:
    people = [line["character"] for line in rollbook("sheet --json").lines]
    said = on_screen(*(f"sheet {shlex.quote(who)}" for who in people))
    for text in said.values():
        lines = text.strip("\n").split("\n")
        assert len(lines) <= 20, text
        if "…" in text:
            hint = lines[-1].partition("rollbook ")[2]
            assert hint.endswith("--all") and rollbook(hint).code == 0
    assert any("--all" in text for text in said.values()) or game in ("powers", "grid", "luckpoint", "russell")


def test_a_sheet_of_more_rows_than_lines_keeps_numbers_state_and_the_first_words() -> None:
    def rows(*labels: str) -> list[tuple[Text, Text]]:
        return [(Text(label), Text(f"it is {label}")) for label in labels]

    numbers, words = rows(*(f"n{at}" for at in range(9))), rows(*(f"w{at}" for at in range(12)), "Conditions")
    for most, many in ((22, 9), (20, 9), (16, 8), (8, 4)):
        shown, is_cut = fitting(Console(width=COLUMNS), numbers, words, most, ("Status", "Conditions"))
        labels = [label.plain for label, _ in shown]
        expected = [f"w{at}" for at in range(min(most - many - 1, 12))]
        assert labels == [*(f"n{at}" for at in range(many)), *expected, "Conditions"]
        assert is_cut == (most < 22)


def test_the_result_comes_before_the_dice(table) -> None:
    (line,) = table("log verb=attack").out.splitlines()
    assert line.index("hit; Guard −8 HP") < line.index("1d20[14]")


def test_minus_signs_are_of_one_kind(table) -> None:
    table("do adjust guard hp -3 --why 'a wound, -1 to all'")
    table("do check robin dex --bonus '-2 mud' --dice 4")
    out = table("log").out + table("sheet guard").out + table("why guard hp").out
    assert not re.search(r"(?<!\S)-\d", out.replace("a wound, -1", "")), out
    assert "−3 HP" in out and "−2 mud" in out
    table("do note 'it was -5 outside'")
    assert "it was -5 outside" in table("log -n 1").out, "somebody's words stay as they were written"
    assert table("do adjust guard hp −2 --why x").code == 0
