"""Answers about a campaign, each kept with what was looked at for it: one is given again until some of that is another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

import attrs

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.reads import Reads, holds, seen

A = TypeVar("A")


@attrs.frozen
class _Kept(Record, Generic[A]):
    """An answer, or the refusal in its place, with what was looked at in the campaign, as it was ``then``."""

    ruleset: str
    reads: tuple[str, ...]
    then: Mapping[str, object]
    answer: A | None = None
    refusal: RollbookError | None = None

    def at(self, campaign: CampaignState) -> _Kept[A] | None:
        """The same of another moment; None if what was looked at is another there."""
        if campaign.ruleset != self.ruleset or not holds(self.reads, self.then, campaign):
            return None
        return attrs.evolve(self, then=seen(self.reads, campaign))


class KeptAnswers(Generic[A]):
    """The answers that were asked for last, ``most`` of them, by what was asked."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Hashable, _Kept[A]] = {}

    def answer(
        self,
        asked: Hashable,
        campaign: CampaignState,
        ask: Callable[[Reads], A],
        is_sound: Callable[[A], bool] = lambda _: True,
    ) -> A:
        """The answer of ``ask``, which notes what it looks at, or the kept one. Raises the RollbookError that is the answer.

        One that is not sound is not kept, and none of a draft, which goes on changing.
        """
        last = self._kept.pop(asked, None)
        found = last.at(campaign) if last is not None and campaign.sealed else None
        if found is None:
            found = _asked(campaign, ask)
        if campaign.sealed and (found.refusal is not None or is_sound(found.answer)):  # type: ignore[arg-type]
            self._kept[asked] = found
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        if found.refusal is not None:
            raise found.refusal.with_traceback(None)
        return found.answer  # type: ignore[return-value]


def _asked(campaign: CampaignState, ask: Callable[[Reads], A]) -> _Kept[A]:
    reads, answer, refusal = Reads(), None, None
    try:
        answer = ask(reads)
    except RollbookError as fault:
        refusal = fault
    looked_at = reads.written()
    return _Kept(campaign.ruleset, looked_at, seen(looked_at, campaign), answer, refusal)
