"""The types of all entries, of effects by their kinds and of the values in them, as ``data/types.json`` describes them.

Programs that check types read the same in ``kinds.pyi``, which ``python -m tests.support.srd5_schema`` writes.
"""

from collections.abc import Mapping  # noqa: F401 - named in the file
from typing import Any  # noqa: F401 - the same

from rollbook.kit import described
from rollbook.rulesets.srd5.catalogue import effect
from rollbook.rulesets.srd5.catalogue.effect import Effect

described.describe(globals(), "types.json", of_kinds=Effect, bases=vars(effect))
