"""Every page in both schemes: axe finds nothing, nothing is wider than a telephone, and no console has anything to say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.pages import DESK, PHONE, Visitor, axe, needs_chromium
from tests.support.web_pages import PAGES, REFUSED

pytestmark = needs_chromium

Sit = Callable[..., Visitor]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_page_can_be_used_by_everybody(sit: Sit, size: tuple[int, int]) -> None:
    hindrances = axe()
    guests = {asker: sit(asker, size=size) for asker, _ in PAGES.values()}
    found, wide = {}, {}
    for name, (asker, path) in PAGES.items():
        guests[asker].noticed.expected += REFUSED
        page = guests[asker].open(path)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            faults = hindrances.run(page).response["violations"]
            found[name, scheme] = [(each["id"], [node["html"][:120] for node in each["nodes"][:4]]) for each in faults]
        wide[name] = page.evaluate("document.documentElement.scrollWidth") - size[0]
        page.close()
    assert {name: each for name, each in found.items() if each} == {}
    assert {name: each for name, each in wide.items() if each > 0} == {}
