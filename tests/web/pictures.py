"""Pictures of every page at three widths, light and dark: ``python -m tests.web.pictures FOLDER``.

The campaign is the Sherwood session, stopped in the middle of its fight, so there is something to see. With ``--readme`` it is
the picture at the head of the README: ``python -m tests.web.pictures docs/table.png --readme``.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path

from tests.support.pages import DESK, PHONE, TABLET, chromium, visitor
from tests.support.web import GM, Running, running
from tests.support.web_pages import PAGES, REFUSED
from tests.support.web_tables import in_two_fights

SIZES = (PHONE, TABLET, DESK)


def draw(folder: Path, only: str = "") -> list[Path]:
    """A picture of each page in each size and both schemes."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    with in_a_fight() as server, chromium() as browser:
        for name, (asker, path) in PAGES.items():
            for size, dark in product(SIZES, (False, True)) if only in name else ():
                with visitor(browser, server.address, server.cookies(asker), size=size, dark=dark) as guest:
                    guest.noticed.expected += REFUSED
                    target = folder / f"{name}-{size[0]}-{'dark' if dark else 'light'}.png"
                    page = guest.open(path)
                    if path.partition("?")[0].endswith("/replay"):
                        page.wait_for_selector("html[data-whole]")
                    page.screenshot(path=target)
                    made.append(target)
    return made


def draw_for_readme(target: Path) -> None:
    """The picture at the head of the README: the GM's page, with the odds of what the Sheriff is about to do."""
    with ExitStack() as left:
        server, browser = left.enter_context(in_a_fight()), left.enter_context(chromium())
        guest = left.enter_context(visitor(browser, server.address, server.cookies(GM), size=(1_400, 940)))
        page = guest.open("/c/sherwood")
        page.locator(".fighter", has_text="The Sheriff").locator(".fighter-open").click()
        page.locator("#sheet h2", has_text="The Sheriff").wait_for()
        page.get_by_role("navigation", name="What to do").get_by_role("link", name="Attack").click()
        page.locator("#act-form .odds-head").wait_for()
        page.locator("#sheet details.number", has_text="Armour class").first.locator("summary").click()
        page.locator("#sheet .why table").first.wait_for()
        page.locator("#act").evaluate("panel => { panel.scrollTop = panel.scrollHeight; }")
        page.mouse.move(0, 0)
        page.screenshot(path=target)


@contextmanager
def in_a_fight() -> Iterator[Running]:
    """A server of a table in the middle of its fight."""
    with tempfile.TemporaryDirectory() as place, running(in_two_fights(Path(place))) as server:
        yield server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to, or with --readme the file")
    parser.add_argument("--only", default="", help="only pages whose name holds this")
    parser.add_argument("--readme", action="store_true", help="only the picture at the head of the README")
    arguments = parser.parse_args()
    if arguments.readme:
        draw_for_readme(arguments.folder)
    else:
        print(*draw(arguments.folder, arguments.only), sep="\n")  # noqa: T201 - a script that says what it made
