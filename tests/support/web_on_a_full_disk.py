"""Answers of the web table on a full disk of its store: ``python -m tests.support.web_on_a_full_disk FOLDER``.

ROLLBOOK_LINK is a path by which the host comes in. It prints the status and the words of each answer.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import create_app
from tests.support.web import SHERWOOD, cookie_name


def answers(folder: Path) -> dict[str, tuple[int, str]]:
    """The status and the text of some pages."""
    app = create_app(folder / "sherwood.db", folder / "seeds")
    here = "http://127.0.0.1:7655"
    with TestClient(app, base_url=here, client=("127.0.0.1", 5_000), raise_server_exceptions=False) as client:
        client.headers["Origin"] = here
        client.cookies.set(cookie_name(app), os.environ["ROLLBOOK_COOKIE"])
        asked = {
            "table": client.get(f"/c/{SHERWOOD}"),
            "say": client.post(f"/c/{SHERWOOD}/say", data={"line": "note Nothing happens."}),
            "join": client.post(os.environ["ROLLBOOK_LINK"]),
            "log": client.get(f"/c/{SHERWOOD}/log"),
        }
        return {name: (answer.status_code, answer.text) for name, answer in asked.items()}


if __name__ == "__main__":
    print(json.dumps(answers(Path(sys.argv[1]))))  # noqa: T201 - what the test reads
