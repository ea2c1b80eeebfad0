"""Witnesses: entries that this computer once saw and its store lacks now, as when an older copy was restored."""

from collections.abc import Iterable, Mapping

import attrs

from rollbook.domain.audit.answers import Finding
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.domain.base.records import Record


@attrs.frozen(kw_only=True)
class Witness(Record):
    """The entries ``since`` to ``entry`` of a campaign were seen here, the last with this ``hash``, and were gone at ``at``.

    ``at`` is microseconds since 1970, UTC. ``restored`` says that this was asked for. Either another store had been put in the
    place of the one in which they were, as ``restore`` does, and the campaign that it is about has this ``identity`` then (""
    if that is not known); or the store was set back to an earlier moment, as its owner said, and ``identity`` is "".
    """

    campaign: CampaignId
    since: EntryNumber
    entry: EntryNumber
    hash: str
    at: int
    identity: str = ""
    restored: bool = False

    def is_about(self, identity: str) -> bool:
        """True if this is about the campaign of that identity, and not about another one that had its name."""
        return self.identity in ("", identity)


def lost_entries(
    witnesses: Iterable[Witness], hashes: Mapping[EntryNumber, str]
) -> tuple[list[Finding], list[Finding]]:
    """The witnesses that a history contradicts, and those that it merely lacks; ``hashes`` are its own at those entries.

    A history that has lost its end, or has another, contradicts what was seen: it FAILED. After a restore or a set-back that
    was asked for this is expected, yet it cannot be VERIFIED: entries that were seen are not here to be looked at.
    """
    failed: list[Finding] = []
    missing: list[Finding] = []
    for witness in witnesses:
        if hashes.get(witness.entry) != witness.hash:
            (missing if witness.restored else failed).append(Finding(witness.since, _sentence(witness)))
    return failed, missing


def _sentence(witness: Witness) -> str:
    many = witness.entry > witness.since
    which = f"entries @{witness.since} to @{witness.entry}" if many else f"entry @{witness.entry}"
    why = "the store is not as it was"
    if witness.restored:
        why = "another copy of the store was restored over them" if witness.identity else "the store was set back"
    return (
        f"this computer once saw {which} (the last hash begins {witness.hash[:12]}), which the store has no more: {why}"
    )
