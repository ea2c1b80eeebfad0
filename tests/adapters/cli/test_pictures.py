"""``rollbook pictures`` draws a campaign within the terminal, for whom it may be seen, and writes the same as SVG."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from rollbook.projections.pictures.cells import cells
from tests.support.processes import ROOT
from tests.support.pty_screen import on_screen
from tests.support.terminal import RunRollbook


@pytest.fixture
def bridge(rollbook: RunRollbook) -> RunRollbook:
    """A session of the grid's, taken in."""
    assert rollbook(f"import {ROOT}/tests/campaigns/carrow-bridge.2.jsonl").code == 0
    return rollbook


@pytest.fixture
def secret(table: RunRollbook) -> RunRollbook:
    """A fight in which a hidden spy is hurt."""
    for line in (
        "do join Spy --kind npc --hp 9 --ac 12 --secret",
        "do begin-encounter robin,guard --title 'The ambush' --dice 15,4",
        "do harm spy 2 --secret",
        "do harm guard 3",
    ):
        assert table(line).code == 0
    return table


def test_every_picture_stands_below_its_title_with_its_numbers(bridge: RunRollbook) -> None:
    said = bridge("pictures").out
    assert [line for line in said.split("\n") if line.startswith(("Hit", "What", "The faces", "Tokens", "Damage"))] == [
        "Hit points: The toll",
        "What the dice did against what they should",
        "The faces of 49 d20",
        "Tokens and resources",
        "Damage by and to whom",
    ]
    assert re.search(r"Brannoc +[▁-█·✗]+ +42 → 15, lowest −1 of 42\n", said)


@pytest.mark.parametrize("columns", [40, 80, 132])
def test_at_a_terminal_no_line_is_wider_than_it(bridge: RunRollbook, columns: int, home: Path) -> None:
    (said,) = on_screen("pictures", columns=columns, folder=home).values()
    lines = said.split("\n")
    assert max(map(cells, lines)) <= columns
    assert max(map(cells, lines)) > columns - 3


def test_only_what_is_asked_for_is_drawn(bridge: RunRollbook) -> None:
    said = bridge("pictures verb=attack who=sill --only damage").out
    assert [line for line in said.split("\n") if ":" in line] == ["Sill: 22 HP"]
    assert bridge("pictures session=7").out == "There is nothing to draw yet.\n"
    assert "^" in bridge("pictures whose=sill").err


def test_nobody_sees_a_picture_of_who_is_hidden(secret: RunRollbook) -> None:
    assert "Spy" in secret("pictures").out
    for seen in (secret("pictures --for table"), secret("pictures --for player:mira --json")):
        assert seen.code == 0
        assert "Guard" in seen.out
        assert "Spy" not in seen.out


def test_programs_get_the_numbers(bridge: RunRollbook) -> None:
    (damage,) = map(json.loads, bridge("pictures --only damage --json").out.splitlines())
    assert damage["columns"] == ["by", "to", "hit points", "times"]
    assert damage["rows"][0] == ["Sill", "Grosk", 22, 1]


def test_drawings_are_files_that_replace_nothing_but_drawings(bridge: RunRollbook, home: Path) -> None:
    folder = home / "drawn"
    assert bridge(f"pictures --svg {folder}").code == 0
    names = {path.name for path in folder.iterdir()}
    assert names == {"hit-points-1.svg", "dice.svg", "dice-faces.svg", "resources.svg", "damage.svg"}
    assert {ET.parse(path).getroot().get("role") for path in folder.iterdir()} == {"img"}
    assert "already exists" in bridge(f"pictures --svg {folder}").err
    assert bridge(f"pictures --svg {folder} --overwrite").code == 0
    (folder / "damage.svg").write_text("<svg>mine</svg>", encoding="utf-8")
    refused = bridge(f"pictures --svg {folder} --overwrite")
    assert refused.code != 0 and "left as it is" in refused.err
    assert (folder / "damage.svg").read_text(encoding="utf-8") == "<svg>mine</svg>"


def test_a_campaign_in_which_nothing_has_happened_has_no_pictures(rollbook: RunRollbook) -> None:
    rollbook("new Empty --ruleset storytoken")
    assert rollbook("pictures").out == "There is nothing to draw yet.\n"
