"""Testing a ruleset: scenarios in memory, and the conformance suite (which needs pytest and hypothesis)."""

from typing import TYPE_CHECKING

from ruleset_plugins.testing.scenarios import Given, Scenario, ScenarioFailed, WithDice, like, rule, scenario, with_dice

if TYPE_CHECKING:
    from ruleset_plugins.testing.conformance.suite import RulesetConformance

__all__ = [
    "Given",
    "RulesetConformance",
    "Scenario",
    "ScenarioFailed",
    "WithDice",
    "like",
    "rule",
    "scenario",
    "with_dice",
]


def __getattr__(name: str) -> object:
    """Load the conformance suite on demand: a scenario needs no hypothesis."""
    if name == "RulesetConformance":
        from ruleset_plugins.testing.conformance.suite import RulesetConformance  # noqa: PLC0415 - see above

        return RulesetConformance
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
