"""An outcome that the rules did not give is not proven by calling it a ruling, or another program's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.audit.answers import Verdict
from tests.attacks.forging import CHAIN, forged, honest, looked_at, written


@pytest.mark.parametrize("provenance", ["ruling", "imported"])
def test_what_is_called_a_ruling_or_imported_is_not_verified_by_the_rules(provenance: str, tmp_path: Path) -> None:
    true = honest()
    entries = forged(true.stored)
    entries[-1].public["provenance"] = provenance
    entries[-1].event("PoolGained")["amount"] += 100
    found = looked_at(written(entries), true, tmp_path)
    assert found.answers[CHAIN].verdict is (Verdict.UNPROVEN if provenance == "ruling" else Verdict.VERIFIED)
    assert found.answers["rules"].verdict is Verdict.UNPROVEN
    assert found.answers["rules"].findings[0].entry == len(entries)
    assert found.answers["receipts"].verdict is Verdict.FAILED
