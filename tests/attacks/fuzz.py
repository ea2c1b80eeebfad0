"""``python -m tests.attacks.fuzz dice --rounds 1000000``: the same attacks as in CI, with as many rounds as one wants.

Each prints how many rounds there were, how many were refused, and the first case of every kind of fault. Exit code 1 if
there was any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from tests.attacks.attempts import Attempts

ATTACKS = {
    "dice": "dice_strings",
    "lines": "verb_lines",
    "files": "odd_files",
    "imports": "odd_imports",
    "filters": "filter_words",
    "words": "command_words",
    "requests": "web_requests",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one attack. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.fuzz", description=__doc__)
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(argv)
    attempts = Attempts()
    try:
        import_module(f"tests.attacks.{ATTACKS[asked.attack]}").attack(asked.rounds, asked.seed, attempts)
    finally:
        print(f"{asked.attack}, seed {asked.seed}: {attempts.report()}")  # noqa: T201 - its answer
    return 1 if attempts.faults else 0


if __name__ == "__main__":
    sys.exit(main())
