"""House rules change in the middle of a campaign, and the game stays the same."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.events import Scalar
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import settings
from rollbook.domain.rules.ruleset import read_settings, ruleset_at, settings_fields
from rollbook.domain.rules.table import Table


class ChangeHouseRules(Action, verb="house-rules", gm_only=True):
    """Change house rules: from here on the table plays by them, and what happened so far stays as it was."""

    sentence = "changes the house rules"

    settings: Mapping[str, Scalar] = settings("house rules, as key=value")

    def resolve(self, table: Table) -> None:
        """The same ruleset, with what is named here in the place of what held until now."""
        game = ruleset_at(table)
        if game is None:
            table.refuse(
                "This campaign plays without a ruleset, so it has no house rules. Choose one first: rollbook adopt"
            )
        if not self.settings:
            known = ", ".join(field.name for field in settings_fields(game))
            table.refuse(f"Say which house rule changes, as key=value. {game.key} has: {known or 'none'}.")
        named = read_settings(game, self.settings)
        now = table.campaign
        table.record(
            events.RulesetAdopted(
                ruleset=game.key, version=game.version, settings={**now.settings, **named}, package=now.package
            )
        )
