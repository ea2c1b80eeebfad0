"""A handout and a portrait in a real browser: sent with the forms, seen by those whom they are for, on a telephone too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.pages import DESK, PHONE, Visitor, needs_chromium, wait_until
from tests.support.picture_files import picture_file
from tests.support.web import GM, JO, MIRA

pytestmark = needs_chromium

Sit = Callable[..., Visitor]
HERE = "/c/sherwood/handouts"
IS_DRAWN = "image => image.complete && image.naturalWidth > 0"


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_picture_is_sent_and_drawn_for_those_whom_it_is_for(sit: Sit, tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "map.png").write_bytes(picture_file("PNG", (1200, 300), "green"))
    (tmp_path / "face.webp").write_bytes(picture_file("WEBP", (40, 60)))
    page = sit(GM, size=size).open(HERE)
    page.get_by_label("Title").fill("The mill")
    page.locator("#picture").set_input_files(tmp_path / "map.png")
    page.locator("#alt").fill("a plan of the mill")
    page.get_by_label("everybody", exact=True).uncheck()
    page.locator("fieldset").get_by_label("Mira").check()
    page.get_by_role("button", name="Hand it out").click()
    page.locator("article", has_text="The mill").wait_for()
    mira = sit(MIRA, size=size).open(HERE)
    mira.locator("img[alt='a plan of the mill']").scroll_into_view_if_needed()
    wait_until(mira, f"({IS_DRAWN})(document.querySelector('img.handout-picture'))")
    assert mira.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert "The mill" not in sit(JO, size=size).open(HERE).inner_text("main")
    mira.locator("#face").set_input_files(tmp_path / "face.webp")
    mira.get_by_role("button", name="Give the portrait").click()
    mira.wait_for_load_state()
    other = sit(JO, size=size).open("/c/sherwood/sheet/robin-hood")
    other.locator("img.portrait").scroll_into_view_if_needed()
    wait_until(other, f"({IS_DRAWN})(document.querySelector('img.portrait'))")
    assert other.evaluate("document.documentElement.scrollWidth") <= size[0]
