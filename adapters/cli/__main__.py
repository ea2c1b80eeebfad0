"""``python -m adapters.cli``: the same as ``rollbook``."""

from __future__ import annotations

import sys

from adapters.cli.app import main

sys.exit(main())
