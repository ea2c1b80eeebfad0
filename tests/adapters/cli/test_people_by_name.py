"""Where a seat is stored under a word of chance, the command line and files for people call its person by name."""

from __future__ import annotations

import base64
import gzip
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from rollbook.adapters.exports import exporters
from rollbook.domain.base.seat_words import OF_CHANCE
from tests.support.needs import needed
from tests.support.terminal import RunRollbook

NAME = "Zenobia"
BEFORE = """
new Sherwood --ruleset storytoken
do agree names removable
do take-seat Ana --role gm
do take-seat Zenobia
do take-seat Yorick
do leave-seat Yorick
do open-session First
do entropy abc --seat Zenobia
do join 'Robin Hood' --id robin --kind npc --hp 9 --ac 12
do lend robin --to Zenobia
do roll 1d20 --seat Zenobia
do roll 1d20 --seat Zenobia
do note mine --seat Zenobia
do whisper Zenobia psst
do whisper GM psst --seat Zenobia
do handout Map 'a map' --to Zenobia
do agree dice either --whose Zenobia
do agree dice stream --whose Zenobia
x-card --seat Zenobia
x-card --resume
undo 12 --seat Zenobia --yes --why slip
undo 11 --seat Zenobia --yes --why slip
undo 13 --yes --why slip
redo 13 --yes --why 'no slip'
undo 9 --yes --why 'nobody came'
"""
ASKED = """
log
log --all
log --corrections
log seat=Zenobia
log seat~enob
log seat=Nobody
why robin hp
status
recap
stats
stats --by seat
stats --by character
stats --seat Zenobia
stats --seat Nobody
stats seat=Zenobia
odds roll 1d20 --seat Zenobia
diff 5 15
replay
replay --for player:Zenobia
pictures
pictures --svg pictures
audit
timelines
doctor
host list
seat-link Zenobia
seat-link Nobody
token new sherwood Zenobia
token new sherwood Yorick
token new sherwood Nobody
token list sherwood
do take-seat Zenobia
do rename-seat Yorick Zenobia
do leave-seat Yorick
do lend robin --to Nobody
do whisper Nobody x
do roll 1d20 --seat Nobody
do roll 1d20 --seat Yorick
do roll 1d20 --seat Zenobia --dice 3
do lend --help
undo 4 --preview
undo 4 --preview --json
undo 3 --preview
amend 4 seat=Zeno --preview
insert 14 roll 1d4 --seat Zenobia --preview
insert 14 roll 1d4 --seat Zenobia --preview --json
override 12 --dice 20 --seat Zenobia --why x --preview
override 17 --dice 20 --seat Zenobia --why x --yes
reroll --seat Zenobia
reroll --seat Zenobia --json
fork --at 12
-c ~1 log
-c ~1 stats
-c ~1 undo 4 --preview
play more.session
play wrong.session
export own.jsonl --for player:Zenobia
export none.html --for player:Nobody
"""
AFTER = (
    "undo 4 --yes --why gone",
    "log",
    "log --all",
    "stats",
    "replay",
    "redact 5 --why private --yes",
    "log",
    "campaigns",
)
FOR_PROGRAMS = ("jsonl", "cloudevents", "json-schema")
"""Formats that carry the names under which seats are stored: they are compared, proven or taken in again."""


@pytest.fixture
def table(rollbook: RunRollbook, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table at which a person does all that names a seat."""
    monkeypatch.chdir(home)
    (home / "more.session").write_text("roll 1d4 --seat Zenobia\nlog\nstatus\n", encoding="utf-8")
    (home / "wrong.session").write_text("agree dice stream\nroll 1d4 --seat Zenobia --dice 3\n", encoding="utf-8")
    for line in BEFORE.strip().splitlines():
        answer = rollbook(line)
        assert answer.code == 0, (line, answer)


def sentences(value: Any) -> Iterator[str]:
    """The texts of an answer in JSON that people read: those with a blank in them."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for each in value:
            yield from sentences(each)
    elif isinstance(value, str) and " " in value:
        yield value


def read_by_people(said: str) -> Iterator[str]:
    """The lines of an answer; of JSON, its sentences."""
    for line in said.splitlines():
        yield from sentences(json.loads(line)) if line.startswith("{") else (line,)


@pytest.mark.usefixtures("table")
def test_every_answer_calls_people_by_name(rollbook: RunRollbook) -> None:
    """Answers, refusals, previews and pictures; also those in JSON, where it is a sentence."""
    wrong, named = [], 0
    for line in (*ASKED.strip().splitlines(), *AFTER):
        answer = rollbook(line)
        said = list(read_by_people(answer.out + answer.err))
        wrong += [(line, each) for each in said if OF_CHANCE.search(each)]
        named += any(NAME in each for each in said)
    assert wrong == []
    assert named > 25


@pytest.mark.usefixtures("table")
def test_a_filter_finds_a_seat_by_the_name_of_its_person(rollbook: RunRollbook) -> None:
    by_name = rollbook("log --json seat=zenobia verb=note").out
    assert [json.loads(line)["result"] for line in by_name.splitlines()] == ["mine"]
    assert "There are: Ana, Zenobia" in rollbook("log seat=Nobody").out


def test_a_name_at_a_campaign_of_the_command_line_can_be_removed_from_every_byte(
    rollbook: RunRollbook, home: Path
) -> None:
    for line in ("new Mill --ruleset storytoken", "do take-seat Ana --role gm", f"do take-seat {NAME}"):
        assert rollbook(line).code == 0
    assert rollbook("log").out.splitlines()[-1].split()[:2] == ["#3", NAME]
    assert rollbook("redact 3 --why private --yes").code == 0
    files = [path for path in home.rglob("*") if path.is_file()]
    assert [path for path in files if NAME.encode() in path.read_bytes()] == []
    assert "VERIFIED" in rollbook("audit").out


def test_a_removed_name_is_said_to_be_removed(rollbook: RunRollbook, table: None) -> None:
    rollbook("redact 4 --why private --yes")
    assert "(name removed)" in rollbook("stats").out
    assert "There are: (name removed), Ana, Yorick." in rollbook("seat-link Nobody").err


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("form", [each for each in exporters() if each not in FOR_PROGRAMS])
def test_every_file_for_people_calls_them_by_name(rollbook: RunRollbook, home: Path, form: str) -> None:
    if form == "pdf":
        needed("typst")
    written = home / "written"
    written.mkdir()
    for reader in ("gm", "table", "player:Zenobia"):
        answer = rollbook(f"export {written / reader[:5]} --to {form} --for {reader}")
        assert answer.code == 0, answer
    files = [path for path in written.rglob("*") if path.is_file() and "verify" not in path.name]
    texts = [text for path in files for text in texts_of(path)]
    assert [found[0] for text in texts for found in re.finditer(f".{{0,60}}{OF_CHANCE.pattern}", text)] == []
    assert form == "pdf" or any(NAME in text for text in texts)


def texts_of(path: Path) -> Iterator[str]:
    """What a file has for people: of a replay what is drawn, without the chain that proves it; of tables no raw events."""
    data = path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            yield from (packed.read(name).decode(errors="replace") for name in packed.namelist())
    elif data.startswith(b"SQLite"):
        db = Database(path)
        yield from (str(row) for table in db.table_names() if table != "events" for row in db[table].rows)
    elif path.name not in ("events.csv", ".rollbook-vault.json"):
        text = data.decode(errors="replace")
        yield re.sub(r"<script[^>]*>.*?</script>", "", text, flags=re.DOTALL)
        if drawn := re.search(r'id="frames"[^>]*>([^<]*)<', text):
            yield gzip.decompress(base64.b64decode(drawn[1])).decode()
