"""``rollbook import --from``, as a person types it: Foundry and tables, again with a longer log, and what works on it then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rollbook.adapters.imports import importers
from tests.support.command_line import Say
from tests.support.foundry import BEN, GM, WorldLog, die, folder, plus, roll

INSTALLED = pytest.mark.skipif(
    not {"foundry", "csv"} <= {*importers()},
    reason="this installation was made before the importers came: install it again",
)
ATTACK = roll("1d20 + 5", 19, die(20, 14), *plus(5))


@pytest.fixture
def world(tmp_path: Path) -> tuple[WorldLog, Path]:
    log = WorldLog()
    for _ in range(40):
        log.roll(ATTACK, flavor="Longbow - Attack Roll")
    log.roll(ATTACK, GM, whisper=[GM], flavor="the hidden trap")
    log.say(BEN, content="<b>Well</b> shot", speaker={"alias": "Ben"})
    return log, log.write(tmp_path / "greenwood")


@INSTALLED
def test_a_world_is_imported_and_everything_works_on_it(say: Say, world: tuple[WorldLog, Path], tmp_path: Path) -> None:
    said = say("import", str(world[1]), "--from", "foundry")
    assert "42 messages with 41 rolls; the total is as recorded in 41 of them." in said
    assert "1d20[14] +5 = 19" in say("log")
    assert "Well shot" in say("log", "--search", "shot")
    assert "From another program: nobody can prove those" in say("stats")
    assert "Anna" in say("stats", "--by", "seat")
    assert "Hit points 17 of 24" in say("sheet", "robin")
    assert "950" in say("xp")
    assert "VERIFIED" in say("audit")
    say("export", str(tmp_path / "anna.jsonl"), "--for", "player:Anna")
    assert "the hidden trap" not in (tmp_path / "anna.jsonl").read_text(encoding="utf-8")


@INSTALLED
def test_a_longer_log_adds_what_is_new_and_nothing_twice(say: Say, world: tuple[WorldLog, Path]) -> None:
    log, path = world
    say("import", str(path), "--from", "foundry")
    assert "Nothing is new: every message was here." in say("import", str(path), "--from", "foundry")
    log.roll(ATTACK)
    log.write(path)
    assert "1 new message with 1 roll; the total is as recorded in 1 of them." in say(
        "import", str(path), "--from", "foundry"
    )
    told = json.loads(say("stats", "--json").splitlines()[0])
    assert told["rolls"] == 42


@INSTALLED
def test_an_imported_campaign_comes_out_and_in_again_byte_for_byte(
    say: Say, world: tuple[WorldLog, Path], tmp_path: Path
) -> None:
    say("import", str(world[1]), "--from", "foundry", "--as", "first")
    say("export", str(tmp_path / "first.jsonl"))
    other = str(tmp_path / "other.db")
    say("import", str(tmp_path / "first.jsonl"), "--store", other)
    say("export", str(tmp_path / "second.jsonl"), "--store", other, "-c", "first")
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "second.jsonl").read_bytes()
    world[0].roll(ATTACK)
    world[0].write(world[1])
    assert "1 new message" in say("import", str(world[1]), "--from", "foundry", "--as", "first", "--store", other)


@INSTALLED
def test_a_table_is_imported_by_its_map(say: Say, tmp_path: Path) -> None:
    (tmp_path / "rolls.csv").write_text("Who,Roll,Result\nRobin,1d20+5,19\n", encoding="utf-8")
    (tmp_path / "columns.toml").write_text('[columns]\ncharacter = "Who"\nroll = "Roll"\ntotal = "Result"\n')
    words = (
        "import",
        str(tmp_path / "rolls.csv"),
        "--from",
        "csv",
        "--map",
        str(tmp_path / "columns.toml"),
        "--as",
        "old",
    )
    assert "1 row with 1 roll." in say(*words)
    assert "1d20+5 = 19" in say("log").replace(" ", "").replace("=", " = ")
    (tmp_path / "rolls.csv").write_text("Who,Roll,Result\nRobin,1d20+5,much\n", encoding="utf-8")
    assert "line 2: total is 'much', and not a whole number" in say(*words, fails=1)


@INSTALLED
def test_a_world_that_is_handed_to_no_importer_is_recognised(say: Say, world: tuple[WorldLog, Path]) -> None:
    said = say("import", str(world[1] / "data" / "messages.db"), fails=1)
    assert "It looks like a file for: rollbook import" in said
    assert "--from foundry" in said


def test_a_map_without_a_table_is_refused(say: Say, tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text("")
    assert "--map is for --from csv" in say("import", "x.jsonl", "--map", str(tmp_path / "columns.toml"), fails=2)


@INSTALLED
@pytest.mark.skipif(folder() is None, reason="the real campaigns are not here; ROLLBOOK_SHARED says where they are")
def test_the_luck_of_strangers_is_one_command(say: Say) -> None:
    say("import", str(folder() / "one"), "--from", "foundry")
    shown = say("stats", "--by", "session")
    assert "628 rolls: 628 from another program" in shown
    assert shown.count("\n  1") > 1
