"""One rebuild in a process of its own, so that its memory can be seen: ``python -m benchmarks.one_rebuild STORE``."""

import json
import sys
import time
from pathlib import Path

from benchmarks.long_fight import EVENTS_PER_BLOW, book
from benchmarks.memory import peak_kilobytes


def main() -> None:
    """Rebuild, and print how many events in how many seconds of the processor with how much memory at the peak."""
    with book(Path(sys.argv[1])) as opened:
        began = time.process_time()
        events = opened.read_model.rebuild(opened.store, opened.rulebook) * EVENTS_PER_BLOW
        seconds = time.process_time() - began
    print(json.dumps({"events": events, "seconds": seconds, "peak_kb": peak_kilobytes()}))


if __name__ == "__main__":
    main()
