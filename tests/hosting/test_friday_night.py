"""A small night of the operator's, behind both proxies: nothing is lost, doubled or missing at a tab, whatever happens."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.friday_night import NODES, TABS, Night, Outcome, outcome, prepared, report
from tests.support.needs import needed
from tests.support.postgres import why_not

pytestmark = pytest.mark.slow
TABLES, SECONDS, EVERY = 4, 10.0, 1.0


def _played(proxy: str, *, tls: bool) -> tuple[Night, Outcome]:
    """The night, and what became of it."""
    with (
        TemporaryDirectory(
            prefix="rollbook-friday-", ignore_cleanup_errors=True
        ) as folder,  # the server's user sees it
        prepared(Path(folder), TABLES, proxy, tls=tls) as (night, book),
    ):
        asyncio.run(night.play(SECONDS, EVERY))
        return night, outcome(book, night)


@pytest.mark.parametrize("program", ["nginx", "caddy", "nginx with TLS"])
def test_nothing_is_lost_doubled_or_missing_at_a_tab(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := why_not():
        pytest.skip(reason)
    monkeypatch.setenv("ROLLBOOK_SEED_KEY", "")
    proxy = needed(program.split(maxsplit=1)[0])
    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have a loop of its own in this thread
        night, found = apart.submit(_played, proxy, tls="TLS" in program).result()
    said = "\n".join(report(night, found))
    assert (found.unanswered, found.lost, found.doubled, found.missing) == ([], [], [], []), said
    assert found.acts >= TABLES * (SECONDS / EVERY) / 2, said
    last = max(act.sent for act in night.acts) - night.began
    assert last > night.log[-1][0], "people play on after the last fault"
    assert [what.split()[:2] for _, what in night.log][::5] == [["node", "1"], ["PostgreSQL", "restarts"]]
    assert all(len(table.tabs) == TABS for table in night.tables) and len(night.nodes) == NODES
    assert sum(tab.cut for table in night.tables for tab in table.tabs) > 0, "no stream met a fault"
    assert len(night.to_tabs()) == found.acts * TABS
