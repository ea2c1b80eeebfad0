"""``python -m adapters.cli``: the same as ``rollbook``."""

import sys

from adapters.cli.app import main

sys.exit(main())
