"""``python -m rollbook``: the same as the command ``rollbook``."""

import sys

from rollbook import main

sys.exit(main())
