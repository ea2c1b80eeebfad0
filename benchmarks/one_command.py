"""One action in a process of its own, as a command would take it: ``python -m benchmarks.one_command STORE``."""

import sys
from pathlib import Path

from benchmarks.evenings import CAMPAIGN, book


def main() -> None:
    """Open, act, project, close."""
    with book(Path(sys.argv[1])) as opened:
        campaign = opened.campaign(CAMPAIGN)
        campaign.do("roll", {"expression": "1d20+5", "who": "robin"}, dice=(14,))
        campaign.project()


if __name__ == "__main__":
    main()
