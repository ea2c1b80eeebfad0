"""What can be asked of a history, and what a preview answers: values, and nothing that happens."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import attrs

from domain.campaign import Campaign
from domain.dice_supply import DiceSupply, NoDice
from domain.events import (
    Event,
    Header,
    Intervention,
    Scalar,
)
from domain.history import Entry


class Change:
    """What is asked of one action."""


@attrs.frozen
class Void(Change):
    """Take the action back."""


@attrs.frozen
class Restore(Change):
    """Bring the action back as it last came out before it was voided, or as ``revision`` had it."""

    revision: int = 0


@attrs.frozen
class Amend(Change):
    """Play the action with some parameters changed, or with other faces of the real dice that were typed in."""

    params: Mapping[str, Scalar]
    typed: tuple[int, ...] = ()


@attrs.frozen
class Intervene(Change):
    """Play the action with one more second thought."""

    thought: Intervention


class Fate(StrEnum):
    """What a correction does to an action."""

    VOIDED = "voided"
    RESTORED = "restored"
    AMENDED = "amended"
    CHANGED = "changed"
    ORPHANED = "orphaned"
    DRIFTED = "drifted"


@attrs.frozen
class Proposal:
    """An entry that applying a preview appends; the engine adds time, salt and the parent's hash."""

    header: Header
    facts: tuple[Event, ...] = ()


@attrs.frozen
class Consequence:
    """One action that does not stay as it is: what it came to before and after, and why if the rules now refuse it."""

    action: int
    fate: Fate
    before: Entry | None
    after: Proposal | None
    reason: str = ""


@attrs.frozen
class SheetChange:
    """One value of one character that a correction moves."""

    character: str
    name: str
    label: str
    before: str
    after: str


@attrs.frozen
class Preview:
    """A correction that has not been made: everything it would append, and what it would change.

    ``base`` is the entry it was made on. ``resolved`` and ``skipped`` count the later actions that were played again
    and those that read nothing that has changed.
    """

    base: int
    proposals: tuple[Proposal, ...]
    consequences: tuple[Consequence, ...]
    changes: tuple[SheetChange, ...]
    after: Campaign
    resolved: int = 0
    skipped: int = 0

    def of(self, *fates: Fate) -> tuple[Consequence, ...]:
        """The consequences of these fates."""
        return tuple(consequence for consequence in self.consequences if consequence.fate in fates)


class Orphans(StrEnum):
    """What becomes of actions that the rules now refuse."""

    VOID = "void"
    KEEP = "keep"


@attrs.frozen(kw_only=True)
class Correction:
    """What a GM wants corrected and how.

    ``stand`` leaves all later actions as they are recorded. ``dice`` gives dice that were never rolled.
    """

    changes: Mapping[int, Change]
    seat: str = ""
    reason: str = ""
    stand: bool = False
    orphans: Orphans = Orphans.VOID
    dice: DiceSupply = attrs.field(factory=NoDice)
