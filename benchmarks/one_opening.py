"""One campaign opened with its whole history in a process of its own: ``python -m benchmarks.one_opening STORE``."""

import gc
import json
import sys
from pathlib import Path

from benchmarks.stored_story import story


def main() -> None:
    """Open it, and print how much memory the process holds when everything is loaded and garbage is gone."""
    history = story(Path(sys.argv[1])).history
    actions, present = history.actions, [who.id for who in history.state.characters.values() if who.present]
    gc.collect()
    print(json.dumps({"actions": actions, "characters": len(present), "bytes": resident_bytes()}))


def resident_bytes() -> int:
    """The resident set of this process, from the kernel's own page."""
    status = Path("/proc/self/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


if __name__ == "__main__":
    main()
