"""Remarks of an importer by their reasons: how often, with a few examples, so that a sentence can be read and counted."""

from __future__ import annotations

from collections.abc import Iterator

from rollbook.domain.base.number_words import counted

MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 80


class Remarks:
    """What could not be kept as it was, in the order in which each reason was met first."""

    def __init__(self) -> None:
        self._examples: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}

    def add(self, reason: str, example: str) -> None:
        """One more of a reason."""
        self._counts[reason] = self._counts.get(reason, 0) + 1
        examples = self._examples.setdefault(reason, [])
        if len(examples) < MOST_EXAMPLES:
            examples.append(example if len(example) <= LONGEST_EXAMPLE else f"{example[: LONGEST_EXAMPLE - 1]}…")

    def sentences(self, what: str) -> Iterator[str]:
        """One sentence for each reason; ``what`` is a noun in the singular."""
        for reason, count in self._counts.items():
            more = f"; and {count - MOST_EXAMPLES:,} more" if count > MOST_EXAMPLES else ""
            yield f"{counted(count, what)}: {reason} ({'; '.join(self._examples[reason])}{more})."
