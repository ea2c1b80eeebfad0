"""How something came out, as it is said of who tried it: "hits", "holds out"."""

from collections.abc import Mapping

_OUTCOMES: Mapping[str, str] = {
    "hit": "hits",
    "miss": "misses",
    "success": "succeeds",
    "yes": "succeeds",
    "failure": "fails",
    "no": "fails",
    "saved": "holds out",
    "not saved": "does not hold out",
    "fumble": "fumbles",
    "critical success": "succeeds brilliantly",
    "critical failure": "fails badly",
    "natural 20": "hits with a natural 20",
    "natural 1": "misses with a natural 1",
}


def outcome(word: str, *, success: bool) -> str:
    """How something came out, as it is said of who tried it."""
    known = _OUTCOMES.get(word)
    if known:
        return known
    came = "succeeds" if success else "fails"
    return f"{came} ({word})" if word else came
