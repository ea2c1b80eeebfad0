"""Rules in force in a shared store: one fingerprint for each ruleset, so that no campaign mixes two.

The first computer that plays by a ruleset puts its own in force. One whose files differ reads, and refuses to play,
until it has the same files or its own are put in force. The store of a single computer needs none of this: each entry
says which rules made it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rollbook.domain.base.errors import RulesetMissing

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

    def of(self, ruleset: str) -> str:
        """The fingerprint in force for a ruleset ("" for campaigns without one), "" if there is none yet."""

    def put(self, ruleset: str, fingerprint: str, instead_of: str) -> str:
        """Put a fingerprint in force if the one in force is still ``instead_of``. Returns the one that is in force now."""


class RulesCheck:
    """Check that this computer may play, made before every action; the store is read only if the answer can be no."""

    def __init__(self, rules: RulesInForce, rulebook: Rulebook) -> None:
        self._rules = rules
        self._rulebook = rulebook
        self._agreed: set[tuple[str, str]] = set()

    def check(self, campaign: CampaignState, last: str) -> None:
        """Raise RulesetMissing unless this computer's rules for the campaign are in force.

        ``last`` is the fingerprint that the campaign's last entry was made by, "" if there is none or it is not known. Rules that
        were in force when this program began are good for a campaign until another computer has played on by later ones.
        """
        own = self._rulebook.fingerprint(campaign)
        if own and own == last and (campaign.ruleset, own) in self._agreed:
            return
        in_force = self._rules.of(campaign.ruleset)
        if own and (not in_force or in_force in OVER_BYTES):
            in_force = self._rules.put(campaign.ruleset, own, in_force)
        if not own or own != in_force:
            self._agreed.discard((campaign.ruleset, own))
            raise RulesetMissing(
                _why_not(campaign, own, in_force),
                key=campaign.ruleset,
                version=campaign.version,
                package=campaign.package,
            )
        self._agreed.add((campaign.ruleset, own))


def _why_not(campaign: CampaignState, own: str, in_force: str) -> str:
    called = f"the ruleset {campaign.ruleset!r}" if campaign.ruleset else "rollbook"
    if not own:
        return (
            f"Files of {called} have changed on this computer since the program began, so it reads and does not play: "
            f"start it again."
        )
    return (
        f"This computer has other files of {called} ({own[:SHOWN]}) than the store is played by ({in_force[:SHOWN]}), so it "
        f"reads and does not play: install the same here, or put these in force for all with 'rollbook store rules --adopt'."
    )
