"""In a browser: a link is made, taken on a telephone and ended; a campaign is begun, and one is taken in out of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from tests.support.pages import PHONE, Visitor, needs_chromium, visitor
from tests.support.web import GM, Running, StoreFiles

pytestmark = needs_chromium

Sit = Callable[..., Visitor]


def expect(what: Any) -> Any:
    """Playwright's, which waits until it holds."""
    return import_module("playwright.sync_api").expect(what)


@contextmanager
def stranger(browser: Any, table: Running, **how: Any) -> Iterator[Visitor]:
    """Somebody whom the table does not know yet."""
    with visitor(browser, table.address, (), **how) as guest:
        yield guest


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_link_is_made_taken_on_a_telephone_and_revoked(
    sit: Sit, a_browser: Any, table: Running, *, scripts: bool
) -> None:
    host = sit(GM, scripts=scripts)
    page = host.open("/c/sherwood/gm/seats")
    page.get_by_label("Name", exact=True).fill("Nora")
    page.get_by_label("Sits there as").select_option("spectator")
    page.get_by_role("button", name="Make the seat and a link").click()
    link = page.get_by_label("The link", exact=True).input_value()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    with stranger(a_browser, table, size=PHONE, scripts=scripts) as nora:
        nora.noticed.expected.append("401")
        hers = nora.open(link.removeprefix(table.address))
        hers.get_by_role("button", name="Sit down").press("Enter")
        hers.wait_for_url("**/c/sherwood")
        host.go(page, "/c/sherwood/gm/seats")
        row = page.get_by_role("article", name="Nora")
        expect(row).to_contain_text("first used")
        row.get_by_role("button", name="Revoke").click()
        expect(row).to_contain_text("revoked")
        hers.goto(f"{table.address}/c/sherwood")
        expect(hers.get_by_role("main")).to_contain_text("The link to the seat of Nora was revoked.")


def test_the_host_begins_a_campaign_and_takes_one_in_that_is_dropped(
    sit: Sit, fight: StoreFiles, tmp_path: Path
) -> None:
    with fight.book() as book:
        export_campaign(book.campaign("sherwood").session.log, tmp_path / "sherwood.jsonl")
    host = sit(GM)
    page = host.open("/")
    page.get_by_role("link", name="A new campaign").click()
    page.get_by_role("link", name="Luck Point").click()
    page.get_by_label("What it is called").fill("The Long Way Home")
    page.get_by_label("Your name at the table").fill("Ana")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/c/the-long-way-home/gm/seats")
    expect(page.get_by_role("article", name="Ana")).to_contain_text("game master")
    host.go(page, "/")
    page.get_by_label("File", exact=True).set_input_files(tmp_path / "sherwood.jsonl")
    page.get_by_label("Name here").fill("The Same Again")
    page.get_by_role("button", name="Check it, and take it in").click()
    page.wait_for_url("**/c/the-same-again")
