"""The suite that the author of a ruleset inherits."""

from rollbook.testing.conformance.action_laws import ActionLaws, AvailabilityLaws
from rollbook.testing.conformance.board_laws import BoardLaws, SquareLaws
from rollbook.testing.conformance.correction_laws import CorrectionLaws
from rollbook.testing.conformance.crossing_laws import CrossingLaws
from rollbook.testing.conformance.declaration_laws import DeclarationLaws, VocabularyLaws
from rollbook.testing.conformance.isolation_laws import IsolationLaws

__all__ = ["RulesetConformance"]


class RulesetConformance(
    DeclarationLaws,
    VocabularyLaws,
    ActionLaws,
    AvailabilityLaws,
    BoardLaws,
    SquareLaws,
    CorrectionLaws,
    CrossingLaws,
    IsolationLaws,
):
    """Everything that every ruleset promises, tried out on one of them.

    ``class TestMyGame(RulesetConformance): ruleset = "mygame"`` is a whole test suite. ``examples`` are moves that make
    sense at the beginning, as a person would type them (``"join Robin --heritage human"``) or as actions: they bring the
    first characters, and random play varies them. Each law is tried out on so many random ``playthroughs``, or as many as the
    environment variable ``ROLLBOOK_PLAYTHROUGHS`` says. ``reach`` is the share of the verbs that random play must get to do
    something.
    """
