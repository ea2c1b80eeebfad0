"""The site that is made of ``docs/`` is complete, asks nothing of the network, and can be read and searched from the disk."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.needs import needed
from tests.support.pages import DESK, PHONE, axe, page_of
from tests.support.processes import ROOT

DOCS = ROOT / "docs"
CONFIG = ROOT / "mkdocs.yml"
APART = {"decisions"}
"""Folders whose pages are listed by a page of their own."""
KIT = ROOT / "rollbook" / "kit"


def in_nav() -> list[str]:
    """The pages that the navigation of the site names."""
    return re.findall(r":\s(\S+\.md)$", CONFIG.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_page_is_in_the_navigation_once_and_no_other() -> None:
    pages = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    listed = {path.as_posix() for path in pages if path.parts[0] not in APART or path.name == "README.md"}
    assert sorted(in_nav()) == sorted(listed)


def test_every_piece_of_the_kit_is_in_the_reference() -> None:
    page = (DOCS / "reference" / "kit.md").read_text(encoding="utf-8")
    pieces = [path.stem for path in sorted(KIT.glob("*.py")) if path.stem != "__init__"]
    assert re.findall(r"^::: rollbook\.kit\.(\w+)$", page, re.MULTILINE) == pieces
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == pieces


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built of a copy of the pages."""
    needed("zensical")
    place = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, place / "docs")
    shutil.copy(CONFIG, place)
    (place / "rollbook").symlink_to(ROOT / "rollbook")
    variables = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml"]
    done = subprocess.run(build, cwd=place, env=variables, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "site"


class Links(HTMLParser):
    """What a page leads to, what it loads, and where it can be entered."""

    def __init__(self) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.loads: list[str] = []
        self.entered: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.entered |= {named[name] for name in ("id", "name") if name in named}
        if tag == "a" and "href" in named:
            self.leads.append(named["href"])
        elif tag in ("script", "img", "iframe", "link") and named.get("rel") != "canonical":
            self.loads += [named[name] for name in ("src", "href") if name in named]


def links_of(page: Path) -> Links:
    found = Links()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def pages_of(site: Path) -> list[Path]:
    return [page for page in sorted(site.rglob("*.html")) if page.name != "404.html"]


@pytest.mark.process
def test_no_link_is_dead_and_nothing_comes_from_elsewhere(site: Path) -> None:
    pages = pages_of(site)
    assert len(pages) > len(in_nav()), "decisions are pages, too"
    links = {page: links_of(page) for page in pages}
    dead = [(page.name, link) for page in pages for link in dead_links(page, links)]
    assert dead == []
    assert [(page.name, place) for page in pages for place in links[page].loads if urlsplit(place).netloc] == []


def dead_links(page: Path, links: dict[Path, Links]) -> Iterator[str]:
    """The links and files of a page that lead nowhere in the site."""
    for link in links[page].leads + links[page].loads:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if not target.is_file() or (
            parts.fragment and target in links and unquote(parts.fragment) not in links[target].entered
        ):
            yield link


@pytest.mark.process
def test_the_reference_says_what_each_public_name_means(site: Path) -> None:
    import rollbook  # noqa: PLC0415 - after the site is there

    entered = links_of(site / "reference" / "rollbook.html").entered
    assert [name for name in rollbook.__all__ if f"rollbook.{name}" not in entered and not name.startswith("__")] == []


SORTS = (
    "index",
    "first-evening",
    "web",
    "write-a-ruleset",
    "words",
    "rulesets/srd5",
    "reference/plugin",
    "decisions/index",
)
"""A page of each sort: with a picture, lines that are typed, long tables, code, names and links."""


@pytest.mark.slow
def test_every_page_fits_a_telephone(site: Path, a_browser: Any) -> None:
    with page_of(a_browser, size=PHONE) as page:
        for path in pages_of(site):
            page.goto(path.as_uri())
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), path.name


@pytest.mark.slow
@pytest.mark.parametrize(("size", "dark"), [(PHONE, False), (DESK, True)], ids=["phone, light", "desk, dark"])
def test_a_page_of_each_sort_can_be_read_by_everybody(
    site: Path, a_browser: Any, size: tuple[int, int], dark: bool
) -> None:
    hindrances, faults = axe(), []
    with page_of(a_browser, size=size, dark=dark) as page:
        for name in SORTS:
            page.goto((site / f"{name}.html").as_uri())
            found = hindrances.run(page, options={"preload": False}).response["violations"]
            faults += [(name, each["id"], [node["html"][:80] for node in each["nodes"]][:3]) for each in found]
    assert faults == []


@pytest.mark.browser
def test_search_works_from_the_disk(site: Path, a_browser: Any) -> None:
    with page_of(a_browser) as page:
        page.goto((site / "index.html").as_uri())
        page.get_by_role("button", name="Search").first.click()
        page.keyboard.type("raised the X-card", delay=20)
        page.get_by_text("Anybody at the table").first.wait_for()
