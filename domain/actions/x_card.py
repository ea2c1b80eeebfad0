"""The X-card, which stops everything and is answered by the table."""

from rollbook.domain import events
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import choice, engine_parameter
from rollbook.domain.rules.table import Table


class RaiseXCard(Action, verb="x-card", final=True, anonymous=True):
    """Stop, skip or change what is happening. No reason is asked and nobody learns who raised it (R0.4)."""

    sentence = "raises the X-card"

    def resolve(self, table: Table) -> None:
        """The scene is paused (Q0.80)."""
        table.record(events.XCardRaised())


MISTAKE = "mistake"
"""The way on after an X-card that was raised by mistake."""


class WithdrawXCard(Action, verb="withdraw-x-card", final=True, anonymous=True):
    """Withdraw an X-card that was raised by mistake. Nobody learns who did.

    The engine takes it for the page that raised the card, within seconds: it is nobody else's to withdraw.
    """

    sentence = "withdraws the X-card"

    def resolve(self, table: Table) -> None:
        if not table.is_paused:
            table.refuse("No X-card lies on the table.")
        table.record(events.XCardAnswered(how=MISTAKE))


ANSWERS = ("resume", "skip", "adjust", "rewind")
"""Ways for a table to go on after an X-card."""


class AnswerXCard(Action, verb="after-x-card", gm_only=True):
    """Go on after an X-card: resume the scene, skip it, adjust it, or rewind it (Q0.80).

    Rewinding undoes actions before it is the answer: ``rewound`` says how many.
    """

    sentence = "answers the X-card"

    how: str = choice("how the table goes on", ANSWERS)
    rewound: int = engine_parameter(ParameterType.NUMBER, "how many actions were undone for it", default=0)

    def resolve(self, table: Table) -> None:
        if not table.is_paused:
            table.refuse("No X-card lies on the table.")
        if self.how == "rewind" and not self.rewound:
            table.refuse(
                "To rewind a scene is to undo what happened in it: rollbook x-card --rewind does both.", parameter="how"
            )
        table.record(events.XCardAnswered(how=self.how))
