"""Entry points of a group by their names, and the distributions that they come from. Listing them imports nothing."""

from collections import defaultdict
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points


def listed(group: str) -> dict[str, list[EntryPoint]]:
    """The entry points of a group by name. Several distributions may claim one name."""
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


def claimants(points: Sequence[EntryPoint]) -> str:
    """All who claim one name."""
    return "; ".join(map(origin, points))
