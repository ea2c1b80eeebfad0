"""x-card: stop the scene anonymously; the GM answers."""

from functools import partial

import attrs

from rollbook.adapters.line_commands.confirm import Confirmation, confirmation_options, preview_ask_apply
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import UsageError, Words, argument, command, option
from rollbook.adapters.line_commands.options import action_param
from rollbook.adapters.line_commands.views.performed import X_CARD_NOTICE, show_entry
from rollbook.application.lines.verb_line import find_seat
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import CorrectionOptions, Effect
from rollbook.domain.corrections.undoing_together import REASON, rewound_actions
from rollbook.domain.entries import RecordedEntry

RAISE, ANSWER = "x-card", "after-x-card"
ANSWERS = ("resume", "skip", "adjust", "rewind")


@command(RAISE)
@argument("words", nargs=-1, metavar="")
@option("--resume", is_flag=True, help="The GM: the scene goes on.")
@option("--skip", is_flag=True, help="The GM: the scene is skipped.")
@option("--adjust", is_flag=True, help="The GM: the scene goes on in another way.")
@option("--rewind", is_flag=True, help="The GM: the scene is undone and played again.")
@option(
    "--to", kind=action_param, metavar="N", help="Rewind to action N, which still counts, instead of the beginning."
)
@confirmation_options("Rewind without asking.", "Only show what rewinding would undo.")
@option("--seat", hidden=True)
@option("--acting-seat", hidden=True)
@option("--why", hidden=True)
@option("--secret", is_flag=True, hidden=True)
def x_card(
    context: CommandContext,
    words: Words,
    seat: str | None,
    to: ActionNumber | None,
    confirmation: Confirmation,
    **more: object,
) -> None:
    """Stop the scene. Anybody may, at any moment; nobody is asked why, and nothing anywhere says who it was.

    \b
    rollbook x-card                    the scene pauses
    rollbook x-card --skip             the GM: how the table goes on (or --resume, --adjust)
    rollbook x-card --rewind           the GM: undo the whole scene, with all that follows from it
    rollbook x-card --rewind --to 41   the GM: undo what came after #41

    What rewinding undoes is shown first, as with undo, and stays readable in the log.
    """
    if words or more["why"] is not None or more["secret"]:
        raise UsageError(
            f"{RAISE} asks nobody why, and everybody sees it. Type it alone: rollbook {RAISE}  (nothing was recorded)"
        )
    said = [how for how in ANSWERS if more[how]]
    if len(said) > 1:
        raise UsageError(f"The table goes on in one way: --{said[0]} or --{said[1]}, not both.")
    how = said[0] if said else None
    if how != "rewind" and (to is not None or confirmation.yes or confirmation.preview_only):
        raise UsageError("--to, --preview and --yes go with --rewind.")
    if how is None:
        _show_card(context, context.played().do(RAISE))
        return
    seat = None if seat is None else find_seat(context.campaign().state, seat)
    if how == "rewind":
        _rewind(context, seat, to, confirmation)
    else:
        _answer(context, seat, how)


def _answer(context: CommandContext, seat: str | None, how: str, **params: int) -> None:
    _show_card(context, context.played().do(ANSWER, {"how": how, **params}, seat=seat))


def _show_card(context: CommandContext, entry: RecordedEntry) -> None:
    """Print what happened. Neither the card nor its answer touches a sheet."""
    campaign = context.played()
    context.select_campaign(campaign)
    context.project()
    show_entry(context, entry)
    if campaign.state.paused and not context.json:
        context.print(X_CARD_NOTICE)


def _rewind(context: CommandContext, seat: str | None, to: ActionNumber | None, confirmation: Confirmation) -> None:
    """Preview, ask, undo, answer. Raises Refused without a card, or for a seat other than the GM's."""
    confirmation.check(context, "rewind")
    campaign = context.campaign()
    campaign.try_out(ANSWER, {"how": "rewind", "rewound": 1}, seat=seat)
    history = context.history()
    last = next((action for action, entry in reversed(list(history.outcomes())) if entry), 0)
    actions = rewound_actions(history, campaign.session.rulebook, last if to == 0 else to or 0)
    rewound = preview_ask_apply(
        context,
        lambda made: partial(made.undo, *actions),
        attrs.evolve(confirmation, options=CorrectionOptions(seat=seat, reason=REASON)),
        question="Rewind?",
        otherwise="Nothing was recorded; the X-card still lies on the table.",
        done="",
    )
    if rewound is not None:
        many = sum(one.effect == Effect.UNDONE for one in rewound.consequences)
        _answer(context, seat, "rewind", rewound=many)
