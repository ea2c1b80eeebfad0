"""Time zones: the one in which a campaign has its days and hours, and moments written in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path

import attrs

from rollbook.domain.actions.campaign import UTC_NAME, zone_name
from rollbook.domain.base.errors import not_found
from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import CampaignState

LOCAL_TIME = Path("/etc/localtime")
"""The place where most systems name their own zone: a link into the files of all zones."""

NAME_OF_ZONE = Path("/etc/timezone")
"""The file in which some systems write its name."""

_FILES_OF_ZONES = "zoneinfo/"


@attrs.frozen
class Zone(Record):
    """A time zone that this computer knows, by its ``name``."""

    name: str
    rules: tzinfo

    def time(self, at: int) -> str:
        """Microseconds since 1970 as a date and a time. In UTC it says so, as most clocks at a table show something else."""
        said = f"{datetime.fromtimestamp(at / 1_000_000, self.rules):%Y-%m-%d %H:%M}"
        return f"{said} {UTC_NAME}" if self.name == UTC_NAME else said

    def day(self, at: int) -> str:
        """The day alone: ``2026-11-22``."""
        return f"{datetime.fromtimestamp(at / 1_000_000, self.rules):%Y-%m-%d}"


IN_UTC = Zone(UTC_NAME, UTC)


def zone_of(campaign: CampaignState) -> Zone:
    """The zone of a campaign; UTC if none was chosen, or if this computer knows none of that name."""
    return zone_named(zone_name(campaign))


def zone_named(name: str) -> Zone:
    """The zone of that name; UTC if this computer knows none."""
    return _called(name) or IN_UTC


def known_zone(text: str) -> str:
    """The name of a zone as the IANA writes it, whatever its case when it was typed. Raises NotFound with the nearest names."""
    meant = text.strip().replace(" ", "_")
    if meant.casefold() == UTC_NAME.casefold():
        return UTC_NAME
    from zoneinfo import available_timezones

    names = {name.casefold(): name for name in available_timezones()}
    found = names.get(meant.casefold(), "")
    if not found or _called(found) is None:
        raise not_found("time zone", text, sorted({*names.values(), UTC_NAME}))
    return found


def zone_at_first(named: str = "") -> str:
    """The zone that a new campaign records, this computer's if none is ``named``; "" is UTC. Raises NotFound."""
    name = known_zone(named) if named else zone_here()
    return "" if name == UTC_NAME else name


def zone_here() -> str:
    """The name of this computer's own zone, or UTC where it cannot be known."""
    zone = next(filter(None, (_called(name.rpartition(_FILES_OF_ZONES)[2]) for name in _said_here())), IN_UTC)
    return UTC_NAME if zone.name in _NAMES_OF_UTC else zone.name


def _said_here() -> Iterator[str]:
    """The names that this computer's zone may have: the variable alone, if there is one, else what the system keeps."""
    said = os.environ.get("TZ")
    if said is not None:
        yield said.lstrip(":")
        return
    with suppress(OSError):
        yield str(LOCAL_TIME.resolve())
    with suppress(OSError, ValueError):
        yield NAME_OF_ZONE.read_text(encoding="utf-8").strip()


_NAMES_OF_UTC = frozenset(
    ("", *(f"{area}{name}" for area in ("", "Etc/") for name in ("UTC", "UCT", "Zulu", "Universal", "GMT")))
)


@cache
def _called(name: str) -> Zone | None:
    if name == UTC_NAME:
        return IN_UTC
    from zoneinfo import ZoneInfo

    try:
        return Zone(name, ZoneInfo(name))
    except (ValueError, OSError, LookupError):  # a name that is none, or a file that is none
        return None
