"""What another program has recorded, told again as the actions of a campaign.

An importer reads a foreign record and says who did what, one action after the other, each with its facts. It knows no
store and no rules: the facts are what was recorded, and whoever stores them marks them as imported.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from domain.events import Event, Scalar, SeatName

__all__ = ["Imported", "ImportedAction"]


@attrs.frozen
class ImportedAction:
    """One thing that somebody did, as the table would say it, with the facts that it left behind.

    ``at`` is microseconds since 1970 (UTC), 0 if nobody knows. A ``seat`` of "" is the importer's own: a correction.
    """

    verb: str
    params: Mapping[str, Scalar]
    seat: SeatName
    at: int
    facts: tuple[Event, ...]


@attrs.frozen
class Imported:
    """A whole record, told.

    ``changes_explained`` counts the recorded changes of somebody's hit points that recorded causes account for exactly;
    ``changes_corrected`` those that needed an action of their own that says so. ``warnings`` are sentences about what
    was passed over.
    """

    name: str
    actions: tuple[ImportedAction, ...]
    changes_explained: int
    changes_corrected: int
    warnings: tuple[str, ...]
