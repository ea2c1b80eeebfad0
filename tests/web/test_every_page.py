"""Every page in both schemes of colours: axe finds nothing, nothing is too wide, no console has anything to say."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from rollbook.adapters.web.routes import PAGES as ROUTES
from tests.support.pages import DESK, PHONE, Visitor, axe, needs_chromium
from tests.support.web_pages import PAGES, REFUSED

pytestmark = needs_chromium

Sit = Callable[..., Visitor]
ALL_RULES = {"resultTypes": ["violations"]}
RULES_OF_COLOURS = {**ALL_RULES, "runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules of axe that a scheme makes a difference to."""

PARTS = {
    *(
        "/c/{campaign}/live",
        "/c/{campaign}/requests",
        "/c/{campaign}/welcome",
        "/c/{campaign}/complete",
        "/c/{campaign}/board/here",
    ),
    *("/c/{campaign}/odds/{verb}", "/c/{campaign}/odds/{verb}/counted"),
    *("/c/{campaign}/replay/moments", "/c/{campaign}/pictures/{digest}"),
}
"""What is read into a page that is looked at."""
WAITING = {
    "/c/{campaign}/preview/{job}",
    "/c/{campaign}/request/{request}",
    "/c/{campaign}/newcomer/{request}",
    "/c/{campaign}/gm/job/{job}",
    "/c/{campaign}/gm/job/{job}/file",
    "/c/{campaign}/record/job/{job}",
    "/c/{campaign}/record/job/{job}/file",
    "/import/{job}",
}
"""Pages that are there only while something is worked out or waits; the tests of corrections and of the lobby meet them."""


def test_every_page_of_the_route_table_is_looked_at() -> None:
    looked_at = [path.partition("?")[0] for _, path in PAGES.values()]
    shapes = {route.path: re.sub(r"\{\w+(:path)?\}", "[^?]+", route.path) for route in ROUTES if route.method == "GET"}
    left = {path for path, shape in shapes.items() if not any(re.fullmatch(shape, asked) for asked in looked_at)}
    assert left == PARTS | WAITING


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_page_can_be_used_by_everybody(sit: Sit, size: tuple[int, int]) -> None:
    hindrances = axe()
    guests = {identity: sit(identity, size=size) for identity, _ in PAGES.values()}
    found, wide = {}, {}
    for name, (identity, path) in PAGES.items():
        guests[identity].noticed.expected += REFUSED
        page = guests[identity].open(path)
        for scheme, rules in (("light", ALL_RULES), ("dark", RULES_OF_COLOURS)):
            page.emulate_media(color_scheme=scheme)
            faults = hindrances.run(page, options=rules).response["violations"]
            found[name, scheme] = [(each["id"], [node["html"][:120] for node in each["nodes"][:4]]) for each in faults]
        wide[name] = page.evaluate("document.documentElement.scrollWidth") - size[0]
        page.close()
    assert {name: each for name, each in found.items() if each} == {}
    assert {name: each for name, each in wide.items() if each > 0} == {}
