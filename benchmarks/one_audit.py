"""One audit in a process of its own, so that its memory can be seen: ``python -m benchmarks.one_audit STORE``."""

import json
import sys
from pathlib import Path

from benchmarks.memory import peak_kilobytes
from benchmarks.stored_story import story


def main() -> None:
    """Audit, and print how many entries were checked with how much memory at the peak."""
    chain, *_ = story(Path(sys.argv[1])).audit()
    print(json.dumps({"entries": chain.checked, "peak_kb": peak_kilobytes()}))


if __name__ == "__main__":
    main()
