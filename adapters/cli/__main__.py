"""``python -m rollbook.adapters.cli``: the same as ``rollbook``."""

import sys

try:
    from rollbook.adapters.cli.app import main

    code = main()
except KeyboardInterrupt:  # nothing is done yet, so there is nothing to say
    code = 130
sys.exit(code)
