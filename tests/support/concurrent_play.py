"""A process that plays: ``python -m tests.support.concurrent_play FOLDER SEAT HOW MANY``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.campaigns import file_book


def main(folder: str, seat: str, how: str, many: int) -> None:
    """Play, correct or project, so many times."""
    with file_book(Path(folder)) as book:
        campaign = book.campaign("sherwood")
        for turn in range(many):
            if how == "play":
                campaign.do("gain-token", {"who": "robin"}, seat=seat)
                campaign.do("roll", {"expression": "1d20", "purpose": f"{turn}"}, seat=seat)
            elif how == "open":
                campaign.do("open-session", seat=seat)
            if how == "project" or turn % 4 == 0:
                campaign.session.project()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
