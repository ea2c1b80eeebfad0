"""Pictures of every page at three widths, light and dark: ``python -m tests.web.pictures FOLDER``.

The campaign is the Sherwood session, stopped in the middle of its fight, so there is something to see.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.support.pages import DESK, PHONE, TABLET, chromium, visitor
from tests.support.web import GM, MIRA, SPECTATOR, running
from tests.support.web_tables import in_the_fight

SIZES = (PHONE, TABLET, DESK)
PAGES = {
    "table-gm": (GM, "/c/sherwood"),
    "table-player": (MIRA, "/c/sherwood"),
    "table-spectator": (SPECTATOR, "/c/sherwood"),
    "log-found": (GM, "/c/sherwood/log?q=who%3Drobin"),
    "log-wrong": (GM, "/c/sherwood/log?q=whom%3Drobin"),
    "act-form": (MIRA, "/c/sherwood/do/attack"),
    "act": (MIRA, "/c/sherwood/act"),
    "card": (GM, "/c/sherwood/card/20"),
    "screen": (SPECTATOR, "/c/sherwood/screen"),
    "lobby": (GM, "/"),
}


def draw(folder: Path, only: str = "") -> list[Path]:
    """A picture of each page in each size and both schemes."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory() as place, running(in_the_fight(Path(place))) as server, chromium() as browser:
        for name, (asker, path) in PAGES.items():
            if only not in name:
                continue
            for size in SIZES:
                for dark in (False, True):
                    with visitor(browser, server.address, server.cookies(asker), size=size, dark=dark) as guest:
                        guest.noticed.expected.append("422")
                        page = guest.open(path)
                        page.wait_for_load_state("load")
                        target = folder / f"{name}-{size[0]}-{'dark' if dark else 'light'}.png"
                        page.screenshot(path=target)
                        made.append(target)
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only pages whose name holds this")
    arguments = parser.parse_args()
    for path in draw(arguments.folder, arguments.only):
        print(path)  # noqa: T201 - a script that says what it made
