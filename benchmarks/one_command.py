"""One command of the command line, timed, with its memory: ``python -m benchmarks.one_command COMMAND …``.

Its own output goes where it always does; the last line of the standard error is the command's cost as JSON.
"""

import json
import sys
import time

began = time.perf_counter()


def main() -> None:
    """Run the command, and say how many seconds it took in this process, its processor time and the most memory it held."""
    import rollbook  # noqa: PLC0415 - its import is a part of what a command costs
    from benchmarks.memory import peak_kilobytes  # noqa: PLC0415

    code = 0
    try:
        code = int(rollbook.main() or 0)
    except SystemExit as ended:
        code = int(ended.code or 0)
    cost = {"seconds": time.perf_counter() - began, "cpu": time.process_time(), "peak_kb": peak_kilobytes()}
    print(json.dumps(cost), file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
