"""Of every forgery in the list of the attacks both verifiers say the same."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.attacks.forgeries import FORGERIES
from tests.attacks.forging import file_of, forged, honest, written
from tests.support.javascript import JavaScriptVerifier, needs_node, same


@needs_node
@pytest.mark.parametrize("remade", [True, False], ids=["with hashes remade", "with the hashes that were there"])
def test_of_every_forgery_both_say_the_same(tmp_path: Path, *, remade: bool) -> None:
    path = tmp_path / "forged.jsonl"
    with closing(JavaScriptVerifier()) as javascript:
        for forge in FORGERIES.values():
            entries = forged(honest().stored)
            forge(entries)
            path.write_bytes(file_of(written(entries, remade=remade), honest().campaign))
            same(javascript, path, plain=False)
