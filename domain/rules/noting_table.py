"""Tables whose looks are noted together with those of others, for an answer that is put together of several."""

from __future__ import annotations

from typing import Any

from rollbook.domain.rules.table import Table
from rollbook.domain.state.reads import Reads


class NotingTable(Table):
    """A table of which only the looks are kept, in ``reads``."""

    def __init__(self, *args: Any, reads: Reads, **more: Any) -> None:
        super().__init__(*args, **more)
        self._reads = reads
