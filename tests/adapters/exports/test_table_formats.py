"""A campaign as tables: LibreOffice reads the CSV and evaluates nothing, Datasette serves the database with words for it."""

from __future__ import annotations

import csv
import json
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen
from xml.etree import ElementTree as ET

import pytest

from benchmarks.ports import free_port
from rollbook.adapters.exports.tables.csv_files import TABLES, safe
from rollbook.adapters.exports.tables.sqlite_file import TABLES as IN_DATABASE
from rollbook.adapters.exports.tables.sqlite_file import metadata_path
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from tests.support.campaigns import book_with
from tests.support.example_sessions import played_example
from tests.support.formats import exported, written
from tests.support.needs import needed, needs

DATASETTE = Path(sys.executable).with_name("datasette")
FORMULA = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}formula"
CELL = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table-cell"
VALUE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value"


@pytest.fixture(scope="module")
def sherwood(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    made = played_example("sherwood", tmp_path_factory.mktemp("sherwood"))
    yield made
    book_with(made).close()


def rows(path: Path) -> list[dict[str, str]]:
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text, newline="")))


# CSV.


def test_a_campaign_is_a_folder_of_tables(sherwood: Campaign, tmp_path: Path) -> None:
    done = exported(sherwood, "csv", tmp_path / "tables", None)
    assert {path.name for path in done.path.iterdir()} == {"README.txt", "log.csv", "rolls.csv", "xp.csv", "sheets.csv"}
    log, rolls, xp, sheets = (rows(tmp_path / "tables" / f"{table.name}.csv") for table in TABLES)
    entries = list(sherwood.history.entries)
    assert [int(row["entry"]) for row in log] == [entry.number for entry in entries]
    dice = [event for entry in entries for event in entry.events if type(event).__name__ == "DiceRolled"]
    assert [int(row["total"]) for row in rolls] == [roll.total for roll in dice]
    assert sum(int(row["xp"]) for row in xp) == sum(who.experience for who in sherwood.state.characters.values())
    robin = {row["label"]: row for row in sheets if row["name"] == "Robin Hood"}
    assert int(robin["Hit points"]["amount"]) == sherwood.sheet("robin").amount("hp")
    assert all((tmp_path / "tables" / f"{table.name}.csv").read_bytes().startswith(b"\xef\xbb\xbf") for table in TABLES)


def test_the_same_tables_are_a_zip_file_and_it_is_the_same_every_time(sherwood: Campaign, tmp_path: Path) -> None:
    exported(sherwood, "csv", tmp_path / "tables", None)
    exported(sherwood, "csv", tmp_path / "one.zip", None)
    exported(sherwood, "csv", tmp_path / "two.zip", None)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()
        }


@pytest.mark.parametrize("target", ["tables", "tables.zip"])
def test_only_an_earlier_export_is_replaced(campaign: Campaign, tmp_path: Path, target: str) -> None:
    exported(campaign, "csv", tmp_path / target, overwrite=False)
    before = written(tmp_path / target)
    with pytest.raises(RollbookError, match="already exists"):
        exported(campaign, "csv", tmp_path / target, overwrite=False)
    exported(campaign, "csv", tmp_path / target, None, overwrite=True)
    assert written(tmp_path / target) != before
    mine = tmp_path / target / "rolls.csv" if target == "tables" else tmp_path / target
    mine.write_bytes(b"my own rolls\n")
    kept = written(tmp_path / target)
    with pytest.raises(RollbookError, match="not a file of the kind"):
        exported(campaign, "csv", tmp_path / target, overwrite=True)
    assert written(tmp_path / target) == kept


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", " =1", "\n=1", "\uff1d1+1", "\x00=1", "\u200e=1"],
)
def test_what_a_spreadsheet_would_take_for_a_formula_is_text(text: str) -> None:
    assert str(safe(text)).startswith("'")


@pytest.mark.parametrize("cell", [-3, 0, None, "-3", "+2", "-1.5", "2d6-1", "Robin - and Marian", ""])
def test_numbers_and_words_are_left_as_they_are(cell: Any) -> None:
    assert safe(cell) == cell


def office(path: Path) -> ET.Element:
    """What LibreOffice makes of a CSV file, with formulas looked for as if somebody had asked for that."""
    read = "CSV:44,34,76,1,,0,false,true,false,false,false,-1,true"
    profile = f"-env:UserInstallation=file://{path.parent / 'profile'}"
    words = [
        needed("soffice"),
        profile,
        "--headless",
        f"--infilter={read}",
        "--convert-to",
        "fods",
        "--outdir",
        str(path.parent),
        str(path),
    ]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    found = next(path.parent.glob(f"{path.stem}*.fods"))
    return ET.fromstring(found.read_bytes())


@needs("soffice")
def test_libreoffice_reads_the_numbers_and_evaluates_no_formula(campaign: Campaign, tmp_path: Path) -> None:
    for text in ("=1+1", '=HYPERLINK("http://x","y")', "+1+1", "@SUM(1)", "-1+1", "Żółć ✓"):
        campaign.do("open-session", {"title": text})
        campaign.do("note", {"text": text})
        campaign.do("adjust", {"who": "robin", "what": "hp", "by": -1, "reason": text})
        campaign.do("close-session")
    exported(campaign, "csv", tmp_path / "tables", None)
    (tmp_path / "tables" / "control.csv").write_text("a\n=1+1\n")
    cells = list(office(tmp_path / "tables" / "log.csv").iter(CELL))
    assert [cell.get(FORMULA) for cell in cells if cell.get(FORMULA)] == []
    shown = ["".join(cell.itertext()).strip() for cell in cells]
    assert "'=1+1" in shown and "Żółć ✓" in shown
    assert {float(cell.get(VALUE) or 0) for cell in cells} >= {1.0, float(campaign.head.entry)}
    sheets = list(office(tmp_path / "tables" / "sheets.csv").iter(CELL))
    assert any(cell.get(VALUE) for cell in sheets)
    assert [cell.get(FORMULA) for cell in sheets if cell.get(FORMULA)] == []
    control = office(tmp_path / "tables" / "control.csv")
    assert any(cell.get(FORMULA) for cell in control.iter(CELL)), "here a formula would have been found"


# SQLite.


def test_the_database_holds_the_campaign(sherwood: Campaign, tmp_path: Path) -> None:
    exported(sherwood, "sqlite", tmp_path / "sherwood.sqlite", None)
    with closing(sqlite3.connect(tmp_path / "sherwood.sqlite")) as database:
        counts = {
            table.name: database.execute(f"SELECT COUNT(*) FROM {table.name}").fetchone()[0] for table in IN_DATABASE
        }
        entries = list(sherwood.history.entries)
        assert counts["log"] == len(entries)
        assert counts["events"] == sum(len(entry.events) for entry in entries)
        assert counts["characters"] == len(sherwood.state.characters)
        assert min(counts.values()) > 0
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (found,) = database.execute("SELECT COUNT(*) FROM log_fts WHERE log_fts MATCH 'robin'").fetchone()
        assert found > 5


def test_the_database_is_the_same_every_time_and_replaces_only_its_like(campaign: Campaign, tmp_path: Path) -> None:
    for name in ("one", "two"):
        exported(campaign, "sqlite", tmp_path / f"{name}.sqlite")
    assert (tmp_path / "one.sqlite").read_bytes() == (tmp_path / "two.sqlite").read_bytes()
    exported(campaign, "sqlite", tmp_path / "one.sqlite", None, overwrite=True)
    assert (tmp_path / "one.sqlite").read_bytes() != (tmp_path / "two.sqlite").read_bytes()
    with closing(sqlite3.connect(tmp_path / "mine.sqlite")) as mine:
        mine.execute("CREATE TABLE mine (x)")
    before = (tmp_path / "mine.sqlite").read_bytes()
    with pytest.raises(RollbookError, match="not a file of the kind"):
        exported(campaign, "sqlite", tmp_path / "mine.sqlite", overwrite=True)
    assert (tmp_path / "mine.sqlite").read_bytes() == before
    assert not (tmp_path / "mine.metadata.json").exists()


def test_every_table_and_column_has_words(campaign: Campaign, tmp_path: Path) -> None:
    exported(campaign, "sqlite", tmp_path / "one.sqlite")
    tables = json.loads(metadata_path(tmp_path / "one.sqlite").read_bytes())["databases"]["one"]["tables"]
    with closing(sqlite3.connect(tmp_path / "one.sqlite")) as database:
        for name, said in tables.items():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
            assert list(said["columns"]) == columns
            assert all(said["columns"].values()) and said["title"] and said["description"]
            assert set(said["facets"]) <= set(columns)


def test_nothing_hidden_is_anywhere_in_the_bytes(campaign: Campaign, tmp_path: Path) -> None:
    for seat in ("", "watcher"):
        exported(campaign, "sqlite", tmp_path / "one.sqlite", seat)
        found = b"".join(path.read_bytes() for path in tmp_path.glob("one.*")).lower()
        assert b"heard by all" in found
        assert b"duke" not in found and b"psst" not in found


def asked(url: str) -> Any:
    with urlopen(url, timeout=20) as answer:
        return json.loads(answer.read())


def test_datasette_serves_it_with_what_it_means(sherwood: Campaign, tmp_path: Path) -> None:
    target = tmp_path / "sherwood.sqlite"
    exported(sherwood, "sqlite", target, None)
    port = free_port()
    words = [
        str(DATASETTE),
        "serve",
        "-i",
        str(target),
        "-m",
        str(metadata_path(target)),
        "-p",
        str(port),
        "-h",
        "127.0.0.1",
    ]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    base = f"http://127.0.0.1:{port}/sherwood"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                log = asked(f"{base}/log.json?_shape=objects&verb=attack&_facet=who")
                break
            except (URLError, ConnectionError):
                assert time.monotonic() < deadline and server.poll() is None
                time.sleep(0.2)
        assert {row["verb"] for row in log["rows"]} == {"attack"}
        assert "who" in log["facet_results"].get("results", log["facet_results"])
        found = asked(f"{base}/log.json?_shape=array&_search=robin")
        assert found
        with urlopen(f"{base}/rolls", timeout=20) as page:
            text = page.read().decode()
        assert "Rolls" in text and "The faces in the order in which they were drawn" in text
        totals = asked(f"{base}.json?sql=select+count(*)+as+n+from+dice&_shape=array")
        assert totals[0]["n"] > 10
    finally:
        server.terminate()
        server.wait(20)
