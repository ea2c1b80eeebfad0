"""A process that plays: ``python -m tests.support.concurrent_play FOLDER SEAT HOW MANY``."""

from __future__ import annotations

import sys
from pathlib import Path

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import StaleHistory
from tests.support.campaigns import file_book

MOST_TRIES = 20
"""Most tries of one action where others are faster, as on a busy machine: nothing is recorded then, and it says to try again."""


def act(campaign: Campaign, seat: str, verb: str, **params: str) -> None:
    """Take an action, as often as it takes."""
    for left in reversed(range(MOST_TRIES)):
        try:
            campaign.do(verb, params, seat=seat)
        except StaleHistory:
            if not left:
                raise
        else:
            return


def main(folder: str, seat: str, how: str, many: int) -> None:
    """Play, correct or project, so many times."""
    with file_book(Path(folder)) as book:
        campaign = book.campaign("sherwood")
        for turn in range(many):
            if how == "play":
                act(campaign, seat, "gain-token", who="robin")
                act(campaign, seat, "roll", expression="1d20", purpose=f"{turn}")
            elif how == "open":
                campaign.do("open-session", seat=seat)
            if how == "project" or turn % 4 == 0:
                campaign.session.project()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
