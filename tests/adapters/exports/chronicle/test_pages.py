"""The page is one file: Chromium opens it by day and by night, on a telephone and on a desk, and prints it chapter by chapter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from tests.support.chronicles import printed, text_of, written
from tests.support.example_sessions import EXAMPLE_SESSIONS
from tests.support.needs import needs
from tests.support.pages import DESK, PHONE, Opened, needs_chromium

FILLED = 20
"""Lines that stand on a page of which more than half is filled."""


@needs_chromium
@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("game", EXAMPLE_SESSIONS)
def test_a_browser_opens_it_without_a_network_and_nothing_is_cut_off(
    game: str, size: tuple[int, int], examples: dict[str, Campaign], tmp_path: Path, opened: Opened
) -> None:
    page = opened(written(examples[game], "html", tmp_path), size=size, dark=size == DESK)
    assert page.locator("section.part").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator("main .said p").first.evaluate("each => getComputedStyle(each).fontSize") >= "16px"


@needs_chromium
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_hostile_names_run_nothing_and_break_out_of_nothing(
    size: tuple[int, int], hostile_campaign: Campaign, tmp_path: Path, opened: Opened
) -> None:
    page = opened(written(hostile_campaign, "html", tmp_path, seat=None), size=size)
    assert page.locator("script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert "<script>alert(1)</script>" in page.locator("main").inner_text()


@needs_chromium
def test_the_dice_stand_beside_what_they_decided_on_a_desk_and_below_it_on_a_telephone(
    sherwood: Campaign, tmp_path: Path, opened: Opened
) -> None:
    path = written(sherwood, "html", tmp_path)
    places = {}
    for size in (PHONE, DESK):
        page = opened(path, size=size)
        said = page.locator(".said", has=page.locator(".margin")).first
        text, dice = said.locator("p").first.bounding_box(), said.locator(".margin").bounding_box()
        assert text and dice
        places[size] = dice["x"] >= text["x"] + text["width"], dice["y"] >= text["y"] + text["height"]
    assert places == {PHONE: (False, True), DESK: (True, False)}


@needs_chromium
@needs("pdftotext")
def test_on_paper_every_page_is_numbered_and_headed_and_what_follows_flows_on(
    sherwood: Campaign, tmp_path: Path, opened: Opened
) -> None:
    page = opened(written(sherwood, "html", tmp_path))
    page.pdf(path=tmp_path / "printed.pdf", prefer_css_page_size=True)
    pages = printed(tmp_path / "printed.pdf")
    assert "Sherwood" in pages[0] and not re.search(r"^\s*1\s*$", pages[0], re.MULTILINE), (
        "the title page has no number"
    )
    for number, sheet in enumerate(pages[1:], 2):
        lines = [line.strip() for line in sheet.splitlines() if line.strip()]
        assert lines[0].startswith("Sherwood") and lines[-1] == str(number)
    begun = [next(at for at, sheet in enumerate(pages[2:]) if re.search(rf"^ *{title}\s*$", sheet, re.MULTILINE))
             for title in ("The Silver Arrow", "Sheets", "Experience", "Luck", "Pictures", "Corrections")]  # fmt: skip
    assert begun == sorted(begun)
    filled = [len([line for line in sheet.splitlines() if line.strip()]) for sheet in pages[2 : begun[4] + 2]]
    assert min(filled) >= FILLED, "no page before the pictures is left half empty"


def test_it_has_no_script_and_may_load_nothing(sherwood: Campaign, tmp_path: Path) -> None:
    text = text_of(written(sherwood, "html", tmp_path))
    assert "default-src 'none'" in text
    assert not re.search(r"<script|<link|@import|\son\w+=|\sstyle=|url\(", text)
    assert not re.search(r'(?:src|href)="(?!#|data:image/)', text)


def test_every_line_of_the_contents_leads_somewhere(examples: dict[str, Campaign], tmp_path: Path) -> None:
    for number, campaign in enumerate(examples.values()):
        (tmp_path / str(number)).mkdir()
        text = text_of(written(campaign, "html", tmp_path / str(number)))
        wanted = set(re.findall(r'<a href="#([^"]+)"', text))
        assert len(wanted) > 5
        assert wanted <= set(re.findall(r'\sid="([^"]+)"', text))
