"""``python -m tests.oracle --campaigns 10000``: random campaigns of all our games, engine and oracle side by side.

Each has a number, which says all that happens in it: what does not agree is played again with ``--first NUMBER --campaigns 1``.
Exit code 1 if anything did not agree.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.oracle.comparing import Disagreement
from tests.oracle.program import play

A_LINE_EVERY = 25


def say(words: str) -> None:
    """A line of the answer, at once."""
    print(words, flush=True)  # noqa: T201 - its answer


def main(argv: Sequence[str] | None = None) -> int:
    """Play so many campaigns. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--campaigns", type=int, default=int(os.environ.get("ROLLBOOK_CAMPAIGNS", "300")))
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    asked = parser.parse_args(argv)
    seen: Counter[str] = Counter()
    faults, begun = 0, time.monotonic()
    for many, seed in enumerate(range(asked.first, asked.first + asked.campaigns), 1):
        try:
            seen += play(seed).seen
        except Disagreement as found:
            faults += 1
            say(str(found))
        if many % A_LINE_EVERY == 0 or many == asked.campaigns:
            say(f"{many:,} campaigns (up to {seed}), {faults} do not agree, {time.monotonic() - begun:,.0f} s")
    say(", ".join(f"{what} {count:,}" for what, count in seen.most_common()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
