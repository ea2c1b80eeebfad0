"""A ``with`` around a connection to SQLite ends its transaction and does not close it: nobody relies on that, tests neither."""

from __future__ import annotations

import re

from tests.support.processes import ROOT

LEFT_OPEN = re.compile(r"^\s*with (?:.*, )?sqlite3\.connect\(", re.MULTILINE)


def test_no_connection_is_left_open_after_its_block() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("[!.]*/**/*.py"))}
    assert sum("with closing(sqlite3.connect(" in text for text in texts.values()) > 10
    assert [path for path, text in texts.items() if LEFT_OPEN.search(text)] == [], "with closing(sqlite3.connect(…))"
