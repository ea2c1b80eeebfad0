"""Which rolls an advantage, a disadvantage or a bonus is for."""

import attrs

from rollbook.plugin import ABILITIES, Record

KINDS = ("task", "check", "save", "attack", "unarmed", "initiative", "sight")


@attrs.frozen(kw_only=True)
class RollKind(Record):
    """Rolls of one ``kind``, "task" for every roll, with one ``ability`` or with any.

    ``chosen`` stands for the ability that a character chose with the heritage.
    """

    kind: str = attrs.field(validator=attrs.validators.in_(KINDS))
    ability: str = attrs.field(default="", validator=attrs.validators.in_(("", *ABILITIES)))
    chosen: bool = False

    def includes(self, ability: str, kinds: tuple[str, ...], *, chosen: str = "") -> bool:
        """Whether a roll with this ability, of these kinds, is one of them."""
        wanted = chosen if self.chosen else self.ability
        return wanted in ("", ability) and (self.kind == "task" or self.kind in kinds)
