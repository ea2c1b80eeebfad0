"""Files that come and go by the browser: what is made is sent once, the page comes to rest, and the lobby imports it again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.support.pages import Visitor, expect, needs_chromium
from tests.support.web import GM

pytestmark = needs_chromium

Sit = Callable[..., Visitor]


def test_an_export_is_sent_the_page_comes_to_rest_and_the_lobby_imports_the_file(sit: Sit, tmp_path: Path) -> None:
    page = sit(GM).open("/c/sherwood/gm/keep")
    page.get_by_label("For", exact=True).select_option("gm")
    page.locator("#format").select_option("jsonl")
    with page.expect_download() as sent:
        page.get_by_role("button", name="Make the file").click()
    expect(page.get_by_role("status").first).to_contain_text("is ready")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2_500)
    assert asked == []
    packed = tmp_path / sent.value.suggested_filename
    sent.value.save_as(packed)
    assert packed.suffix == ".zip"
    page.reload()
    expect(page.get_by_role("status").first).to_contain_text("was sent")
    page.goto(page.url.partition("/c/")[0])
    page.locator("#file").set_input_files(packed)
    page.get_by_label("Name here").fill("Again")
    page.get_by_role("button", name="Check it").click()
    page.wait_for_url("**/c/again")
    page.goto(page.url.partition("/c/")[0])
    expect(page.get_by_role("article").filter(has_text="here again")).to_have_count(1)
