"""An EPUB is one by EPUBCheck's word, the same byte for byte each time, and a chapter of it is one scene."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from rollbook.application.campaign import Campaign
from tests.support.chronicles import PNG, check_book, files_of, needs_epubcheck, written
from tests.support.example_sessions import EXAMPLE_SESSIONS

XHTML = "{http://www.w3.org/1999/xhtml}"


FIRST, *OTHERS = EXAMPLE_SESSIONS


@needs_epubcheck
@pytest.mark.parametrize("game", [FIRST, *(pytest.param(game, marks=pytest.mark.slow) for game in OTHERS)])
def test_epubcheck_finds_nothing_wrong_with_the_session_of_any_game(
    game: str, examples: dict[str, Campaign], tmp_path: Path
) -> None:
    check_book(written(examples[game], "epub", tmp_path))


@needs_epubcheck
def test_epubcheck_finds_nothing_wrong_with_hostile_names_and_pictures(
    hostile_campaign: Campaign, sherwood: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "pictures").mkdir()
    for name in ("cover", "robin-hood"):
        (tmp_path / "pictures" / f"{name}.png").write_bytes(PNG)
    pictured = written(sherwood, "epub", tmp_path, pictures=tmp_path / "pictures").rename(tmp_path / "pictured.epub")
    check_book(written(hostile_campaign, "epub", tmp_path, seat=None), pictured)


def test_the_media_type_comes_first_and_as_it_is(sherwood: Campaign, tmp_path: Path) -> None:
    path = written(sherwood, "epub", tmp_path)
    with zipfile.ZipFile(path) as book:
        first = book.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert path.read_bytes()[30:58] == b"mimetypeapplication/epub+zip"


def test_each_scene_is_a_file_that_the_contents_lead_to(sherwood: Campaign, tmp_path: Path) -> None:
    files = files_of(written(sherwood, "epub", tmp_path))
    nav = ET.fromstring(files["EPUB/nav.xhtml"])
    links = {link.get("href"): "".join(link.itertext()) for link in nav.iter(f"{XHTML}a")}
    assert links["s1.xhtml"] == "Session 1: The Silver Arrow"
    assert links["s1-2.xhtml"] == "The road through Sherwood"
    assert all(f"EPUB/{href}" in files for href in links)
    assert "The ambush" in files["EPUB/s1-2.xhtml"].decode()


@pytest.mark.parametrize("form", ["epub", "pdf", "html"])
def test_the_same_campaign_gives_the_same_bytes(sherwood: Campaign, tmp_path: Path, form: str) -> None:
    first = written(sherwood, form, tmp_path).read_bytes()
    assert written(sherwood, form, tmp_path, overwrite=True).read_bytes() == first
