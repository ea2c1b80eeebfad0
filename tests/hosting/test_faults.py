"""What breaks loses nothing, doubles nothing and tears nothing: each fault a few times while clients play.

``python -m tests.hosting.faults --times 100`` does each as often as the page about hosting says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hosting.faults import FAULTS, Fault, outcome
from tests.support.hosting.runs import Size
from tests.support.postgres import PostgresServer

TIMES, TIMES_RARE = 3, 2
SMALL = Size(campaigns=8, clients=6, each=2)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name.replace(" ", "-") for fault in FAULTS])
def test_after_a_fault_all_is_as_clients_were_told(
    fault: Fault, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    came = outcome(fault, postgres_server, tmp_path / "run", TIMES_RARE if fault.is_rare else TIMES, SMALL)
    assert came.findings.everything == []
    assert len(came.ledger.acknowledged) > SMALL.clients * 2


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name.replace(" ", "-") for fault in FAULTS])
def test_after_a_fault_every_browser_shows_the_same_table(
    fault: Fault, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    came = outcome(fault, postgres_server, tmp_path / "run", TIMES_RARE, SMALL, in_browsers=True)
    assert came.findings.everything == []
    assert len(came.ledger.acknowledged) > SMALL.clients * 2
