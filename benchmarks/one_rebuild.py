"""One rebuild in a process of its own, so that its memory can be seen: ``python -m benchmarks.one_rebuild STORE``."""

import json
import resource
import sys
import time
from pathlib import Path

from benchmarks.long_fight import EVENTS_PER_BLOW, book


def main() -> None:
    """Rebuild, and print how many events in how many seconds of the processor with how much memory at the peak."""
    with book(Path(sys.argv[1])) as opened:
        began = time.process_time()
        events = opened.read_model.rebuild(opened.store, opened.rulebook) * EVENTS_PER_BLOW
        seconds = time.process_time() - began
    print(json.dumps({"events": events, "seconds": seconds, "peak_kb": peak_kilobytes()}))


def peak_kilobytes() -> int:
    """The most memory that this process ever held: from the kernel's own page where there is one.

    What ``getrusage`` says includes the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
