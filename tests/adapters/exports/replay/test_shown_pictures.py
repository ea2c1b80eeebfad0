"""A replay shows the pictures that its reader may see, from the page itself, and none whose bytes are others."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.pictures import Picture, keeping
from rollbook.application.redaction import redact
from tests.support.campaigns import begin_campaign, book_with, file_book
from tests.support.exports import verify
from tests.support.pages import Opened, needs_chromium
from tests.support.picture_files import picture
from tests.support.replay_pages import replay_file

MILL, LETTER, FACE = picture("green"), picture("white"), picture("red")
HELD = re.compile(r'<script type="text/plain" id="pictures">(.*?)</script>')


def shown(campaign: Campaign, what: Picture, verb: str, **params: str) -> int:
    with keeping(campaign.session.log.store, campaign.id, what):
        campaign.do(verb, {**params, **what.parameters})
    return campaign.head.actions


def page_of(campaign: Campaign, path: Path, seat: str | None) -> Path:
    """The page of all that is recorded now."""
    campaign.session.project()
    return replay_file(campaign, path, seat)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Campaign]:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    shown(campaign, FACE, "portrait", who="robin")
    shown(campaign, MILL, "handout", title="The mill", alt="a mill & its pond")
    shown(campaign, LETTER, "handout", title="A letter", to="mira", alt="a letter")
    yield campaign
    book.close()


def held(path: Path) -> dict[str, list[str]]:
    found = HELD.search(path.read_text())
    return dict(json.loads(found[1])) if found else {}


def test_a_page_has_the_pictures_of_its_reader_and_still_verifies(played: Campaign, tmp_path: Path) -> None:
    for seat, seen in ((None, {MILL, LETTER, FACE}), ("mira", {MILL, LETTER, FACE}), ("", {MILL, FACE})):
        path = page_of(played, tmp_path / f"{seat}.html", seat)
        assert held(path) == {one.digest: ["image/png", b64encode(one.data).decode()] for one in seen}
        assert verify(path)[0] in (0, 3)
    redact(book_with(played), played, played.head.actions - 1, why="a slip")
    path = page_of(played, tmp_path / "after.html", None)
    assert MILL.digest not in path.read_text()
    assert set(held(path)) == {LETTER.digest, FACE.digest}


def test_a_page_without_pictures_has_no_place_for_them(tmp_path: Path) -> None:
    path = page_of(begin_campaign(file_book(tmp_path)), tmp_path / "page.html", None)
    assert 'id="pictures"' not in path.read_text()


@needs_chromium
def test_they_are_drawn_in_the_log_and_beside_the_name(opened: Opened, played: Campaign, tmp_path: Path) -> None:
    campaign = played
    campaign.corrections.undo(campaign.head.actions, reason="not yet").apply()
    page = opened(page_of(campaign, tmp_path / "page.html", None))
    page.wait_for_selector("html[data-ready]")
    page.evaluate(
        "document.getElementById('at').value = 1e6; document.getElementById('at').dispatchEvent(new Event('input'))"
    )
    page.wait_for_timeout(400)
    drawn = page.locator("#log .shown-picture")
    assert drawn.evaluate_all("all => all.map((each) => each.alt)") == ["a mill & its pond"]
    assert drawn.evaluate_all("all => all.map((each) => each.complete && each.naturalWidth)") == [8]
    assert page.locator("#fight .who-face").count() == 1
    page.locator("#verify-now").click()
    page.wait_for_selector("#answer b, #answer strong, #answer .chip", timeout=20_000)


@needs_chromium
def test_other_bytes_under_a_digest_are_not_drawn(opened: Opened, played: Campaign, tmp_path: Path) -> None:
    path = page_of(played, tmp_path / "page.html", "")
    forged = path.read_text().replace(b64encode(MILL.data).decode(), b64encode(LETTER.data).decode())
    path.write_text(forged)
    page = opened(path)
    page.wait_for_selector("html[data-ready]")
    page.evaluate(
        "document.getElementById('at').value = 1e6; document.getElementById('at').dispatchEvent(new Event('input'))"
    )
    page.wait_for_timeout(400)
    assert page.locator("#log .shown-picture").count() == 0
    assert page.locator("#fight .who-face").count() == 1
