"""Every fault as often as one likes, and a table of what came of them: ``python -m tests.hosting.faults --times 100``."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import attrs

from tests.support.hosting.faults import FAULTS, HEADINGS, RARELY, outcome
from tests.support.hosting.runs import Size
from tests.support.postgres import SEED_KEY, PostgresServer, why_not


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Do the faults, and say what came of them. 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--times", type=int, default=100, help=f"how often each is done; those that take long {RARELY} times less often"
    )
    parser.add_argument("--only", default="", help="those with this in their names")
    parser.add_argument(
        "--browsers", action="store_true", help="with servers of pages, and readers who follow the table"
    )
    parser.add_argument("--campaigns", type=int, default=Size().campaigns)
    parser.add_argument("--clients", type=int, default=Size().clients)
    asked = parser.parse_args()
    if reason := why_not():
        sys.exit(reason)
    os.environ.setdefault("ROLLBOOK_SEED_KEY", SEED_KEY)
    size = Size(campaigns=asked.campaigns, clients=asked.clients)
    size = attrs.evolve(size, each=max(1, 2 * size.campaigns // size.clients))
    rows, is_wrong = [], False
    for fault in FAULTS:
        if asked.only not in fault.name:
            continue
        times = max(1, asked.times // RARELY) if fault.is_rare else asked.times
        with tempfile.TemporaryDirectory(prefix="rollbook-faults-", ignore_cleanup_errors=True) as folder:
            server = PostgresServer().make()
            began = time.monotonic()
            try:
                came = outcome(fault, server, Path(folder) / "run", times, size, in_browsers=asked.browsers)
            finally:
                server.close()
        rows.append(came.row())
        is_wrong = is_wrong or bool(came.findings.everything)
        say(f"{came.row()} {time.monotonic() - began:.0f} s in all")
        for sentence in came.findings.everything[:20]:
            say(f"  {sentence}")
        for answer, many in came.ledger.answers.most_common(12):
            say(f"  {many} × {answer[:300]}")
    say("\n".join(("", HEADINGS, *rows)))
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
