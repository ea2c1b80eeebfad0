"""At a real terminal of 80 columns no line is longer, nothing is cut without an ellipsis, no word is broken but at a hyphen."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from rich.cells import cell_len

from adapters.cli.app import COMMANDS
from tests.support.pty_screen import COLUMNS, on_screen

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = {
    "storytoken": "sherwood",
    "luckpoint": "night-ferry",
    "powers": "sallow-lock",
    "russell": "drowned-chapel",
    "grid": "carrow-bridge",
}
LOOKING = (
    *(
        "log",
        "log --all",
        "log --corrections",
        "log who=nobody",
        "xp",
        "status",
        "sheet",
        "diff 1 last",
        "stats",
        "stats --details",
    ),
    *(
        "audit",
        "verbs",
        "rulesets",
        "timelines",
        "campaigns",
        "receipt",
        "odds roll 2d6+1",
        "odds roll 1d20",
        "sheet nobody",
    ),
    *("do harm nobody 3", "undo 3 --preview", "undo 999", "new", "do note", "do attack", "export --nonsense"),
)
DRAWN = re.compile(r"[·▕─│╭╮╰╯▁▂▃▄▅▆▇█▏▎▍▌▋▊▉⠀-⣿]+")
"""Frames, bars and spinners, which are no words."""


TOO_WIDE = ("rulesets ", "campaigns")
"""Lists with words so long that their columns are wider than the terminal: those words are folded."""

DRAWN_AT_TERMINALS = ("stats", "odds", "status")
"""What these draw at a terminal, they say in other words in a pipe."""


@pytest.fixture(params=SCRIPTS)
def game(request: pytest.FixtureRequest, rollbook) -> str:
    assert rollbook(f"play {ROOT}/examples/{SCRIPTS[request.param]}.session").code == 0
    return str(request.param)


def words_of(text: str) -> list[str]:
    return DRAWN.sub(" ", text).split()


def test_in_every_game_everything_fits(game: str, rollbook) -> None:
    people = [line["character"] for line in rollbook("sheet --json").lines]
    sheets = [f"sheet {shlex.quote(who)} --all" for who in people]
    commands = [*LOOKING, *sheets, *(f"why {shlex.quote(who)} hp" for who in people), f"rulesets {game}", "do --help"]
    verbs = [f"do {line['verb']} --help" for line in rollbook("verbs --json").lines[:10]]
    said = on_screen(*commands, *verbs)
    assert len(said) == len({*commands, *verbs})
    wide = [line for text in said.values() for line in text.splitlines() if cell_len(line) > COLUMNS]
    assert wide == []
    for command in commands:
        if command.partition(" ")[0] in DRAWN_AT_TERMINALS or command.startswith(TOO_WIDE):
            continue
        plain = rollbook(command)
        whole = words_of(plain.out + plain.err)
        shown = words_of(said[command])
        parts = {
            part
            for word in whole
            for at in range(len(word))
            if word[at] == "-"
            for part in (word[: at + 1], word[at + 1 :])
        }
        broken = [word for word in shown if word not in whole and word not in parts and "…" not in word]
        assert broken == [], (command, "is broken, or not said in a pipe")
        if "…" not in said[command] and parts.isdisjoint(shown):
            assert {*whole} - {*shown} == set(), (command, "lacks words")


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
