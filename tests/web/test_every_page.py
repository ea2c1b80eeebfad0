"""Every page in both schemes: axe finds nothing, nothing is wider than a telephone, and no console has anything to say."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest

from tests.support.pages import DESK, PHONE, Visitor, needs_chromium
from tests.support.web_pages import PAGES, REFUSED

pytestmark = needs_chromium

Sit = Callable[..., Visitor]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_page_can_be_used_by_everybody(sit: Sit, size: tuple[int, int], *, dark: bool) -> None:
    axe = import_module("axe_playwright_python.sync_playwright").Axe()
    found, wide = {}, {}
    for name, (asker, path) in PAGES.items():
        guest = sit(asker, size=size, dark=dark)
        guest.noticed.expected += REFUSED
        page = guest.open(path)
        report = axe.run(page).response["violations"]
        found[name] = [(each["id"], [node["html"][:120] for node in each["nodes"][:4]]) for each in report]
        wide[name] = page.evaluate("document.documentElement.scrollWidth") - size[0]
        page.close()
    assert {name: each for name, each in found.items() if each} == {}
    assert {name: each for name, each in wide.items() if each > 0} == {}
