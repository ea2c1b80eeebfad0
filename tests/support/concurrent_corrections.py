"""A process that corrects: ``python -m tests.support.concurrent_corrections FOLDER ACTION HOW MANY``."""

from __future__ import annotations

import sys
from pathlib import Path

from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.rules.sheet_rulings import Adjustment
from tests.support.campaigns import file_book

TOKEN = Adjustment(who="robin", what="pool:tokens", by=1)


def main(folder: str, action: int, many: int) -> None:
    """One token more in the same action, so many times; a preview that has grown old is looked at again."""
    stale = 0
    with file_book(Path(folder)) as book:
        campaign = book.campaign("sherwood")
        for _ in range(many):
            while True:
                try:
                    campaign.corrections.amend(action, {}, reason="one more", adjustments=[TOKEN]).apply()
                except StaleHistory:
                    stale += 1
                    continue
                break
    sys.stdout.write(f"{stale}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
