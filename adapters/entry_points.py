"""Entry points of a group by their names, and the distributions that they come from. Listing them imports nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from domain.errors import RollbookError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def listed(group: str) -> dict[str, list[EntryPoint]]:
    """The entry points of a group by name. Several distributions may claim one name."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = defaultdict(list)
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        if point.value not in {known.value for known in found[point.name]}:
            found[point.name].append(point)
    return dict(found)


def distribution(point: EntryPoint) -> str:
    """The distribution that an entry point comes from, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"


def origin(point: EntryPoint) -> str:
    """Where an entry point comes from and what it points to."""
    return f"{distribution(point)}, {point.value}"


def load(points: Sequence[EntryPoint], called: str) -> Any:
    """What the entry points of one name stand for. Raises RollbookError if several claim it, or if it cannot be imported.

    ``called`` is what the error calls it: "The ruleset 'grid'".
    """
    if len(points) > 1:
        claimants = "; ".join(map(origin, points))
        raise RollbookError(f"{called} is claimed by several distributions ({claimants}): remove all but one.")
    try:
        return points[0].load()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise RollbookError(f"{called} ({origin(points[0])}) fails on import: {what}") from error
