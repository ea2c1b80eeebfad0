"""Rules in force in a shared store: one fingerprint for each ruleset, so that no campaign mixes two.

The first computer that plays by a ruleset puts its own in force. One whose files differ reads, and refuses to play,
until it has the same files or its own are put in force. The store of a single computer needs none of this: each entry
says which rules made it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

import attrs

from rollbook.domain.base.errors import RulesetMissing
from rollbook.domain.base.records import Record

if TYPE_CHECKING:
    from rollbook.domain.rulebook import Rulebook
    from rollbook.domain.state.campaign_state import CampaignState

OVER_BYTES = frozenset(
    (
        "3e0cd3070c8ebd1aa9d986e6c0f0f1b5",
        "b9e7592cfb5874e5944b6b1db9259d31",
        "d30f5dc942674052bb648377c131ea84",
        "7b4962db8ff8b85b72c888aa1adc4381",
        "91834716da69a92dcd8cf52929bbdb90",
        "03b44139025ed19400c2cca5ef4782e3",
    )
)
"""Old fingerprints of these rules, taken over the bytes of files and not over what these decide."""
SHOWN = 12
"""Digits of a fingerprint that are shown."""


class RulesInForce(Protocol):
    """The rules in force for all computers that share a store. Raises RollbookError if they cannot be read."""

    @property
    def agreed(self) -> set[tuple[str, str]]:
        """Rulesets and fingerprints that were once in force since this program began. All its books share the set."""

    def all(self) -> Mapping[str, str]:
        """The fingerprint in force for each ruleset that was ever played."""

    def of(self, ruleset: str) -> str:
        """The fingerprint in force for a ruleset ("" for campaigns without one), "" if there is none yet."""

    def put(self, ruleset: str, fingerprint: str, instead_of: str) -> str:
        """Put a fingerprint in force if the one in force is still ``instead_of``. Returns the one that is in force now."""


class RulesNotInForce(RulesetMissing):
    """The error if this computer has other rules of a campaign than the store is played by."""


@attrs.frozen(kw_only=True)
class RulesHere(Record):
    """A ruleset ("" for campaigns without one) with this computer's ``own`` fingerprint and the one ``in_force``.

    ``own`` is "" if it is not known, because files have changed since the program began, or the ruleset is not installed.
    """

    ruleset: str
    own: str
    in_force: str
    is_installed: bool = True

    @property
    def are_in_force(self) -> bool:
        """True if campaigns of the ruleset are played here, or nobody has played one yet."""
        return not self.in_force or (bool(self.own) and self.in_force in (self.own, *OVER_BYTES))

    @property
    def why_not(self) -> str:
        """The reason why campaigns of the ruleset are not played here, with what helps; "" if they are."""
        if self.are_in_force:
            return ""
        if not self.is_installed:
            return (
                f"The ruleset {self.ruleset!r} is not installed on this computer, so its campaigns are only read here."
            )
        return _why_not(self.ruleset, self.own, self.in_force)


def compare(
    in_force: Mapping[str, str], installed: Collection[str], fingerprint: Callable[[str], str]
) -> Iterator[RulesHere]:
    """Compare the rules in force with this computer's, whose ``fingerprint`` is asked for each that is installed."""
    for ruleset, there in in_force.items():
        is_here = not ruleset or ruleset in installed
        own = fingerprint(ruleset) if is_here else ""
        yield RulesHere(ruleset=ruleset, own=own, in_force=there, is_installed=is_here)


class RulesCheck:
    """Check that this computer may play, made before every action; the store is read only if the answer can be no."""

    def __init__(self, rules: RulesInForce, rulebook: Rulebook) -> None:
        self._rules = rules
        self._rulebook = rulebook

    def check(self, campaign: CampaignState, last: str) -> None:
        """Raise RulesNotInForce unless this computer's rules for the campaign are in force.

        ``last`` is the fingerprint that the campaign's last entry was made by, "" if there is none or it is not known. Rules that
        were in force since this program began are good for a campaign until another computer has played on by later ones.
        """
        own = self._rulebook.fingerprint(campaign)
        if own and own == last and (campaign.ruleset, own) in self._rules.agreed:
            return
        in_force = self._rules.of(campaign.ruleset)
        if own and (not in_force or in_force in OVER_BYTES):
            in_force = self._rules.put(campaign.ruleset, own, in_force)
        if not own or own != in_force:
            raise RulesNotInForce(
                _why_not(campaign.ruleset, own, in_force),
                key=campaign.ruleset,
                version=campaign.version,
                package=campaign.package,
            )
        self._rules.agreed.add((campaign.ruleset, own))


def _why_not(ruleset: str, own: str, in_force: str) -> str:
    called = f"the ruleset {ruleset!r}" if ruleset else "rollbook"
    if not own:
        return (
            f"Files of {called} have changed on this computer since the program began, so it reads and does not play: "
            f"start it again."
        )
    return (
        f"This computer has other files of {called} ({own[:SHOWN]}) than the store is played by ({in_force[:SHOWN]}), so it "
        f"reads and does not play. The host installs the same here, or puts these in force for all: rollbook store rules --adopt"
    )
