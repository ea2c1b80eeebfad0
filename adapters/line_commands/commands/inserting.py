"""insert: an action that was forgotten is put into the past."""

from functools import partial

from rollbook.adapters.line_commands.confirm import Confirmation, correction_options, preview_ask_apply
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import UsageError, Words, argument, command
from rollbook.adapters.line_commands.options import action_param
from rollbook.application.corrections import Corrections
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.verb_line import parse
from rollbook.application.playing.request import ActionRequest
from rollbook.application.view import CampaignView
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import CorrectionOptions, Proposal
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import CampaignState

FORGOTTEN = "it was forgotten"
"""The reason of an insertion for which none was given."""


@command(around_verb=True)
@argument("action", kind=action_param, metavar="N")
@argument("said", nargs=-1, required=True, metavar="VERB ...")
@correction_options(why=f"The reason; it is kept with the correction ('{FORGOTTEN}' if none is given).")
def insert(context: CommandContext, action: ActionNumber, said: Words, confirmation: Confirmation) -> None:
    """Put an action that was forgotten just before another one, as the table would have said it then.

    It gets the next number, and no other number moves; the log shows it in its place. Whatever comes after and depends on
    it is played again with its own dice. Real dice of the act itself are typed after a !, and those that others need now
    with --dice.

    \b
    rollbook insert 31 attack mira wolf-2 --preview
    rollbook insert 31 attack mira wolf-2 ! 13 4 --why "she had a turn before that"
    rollbook undo --correction --why "she had not"
    """
    if not action:
        raise UsageError("Say before which action, by its number: insert 31 attack mira wolf-2")
    confirmation = confirmation.with_reason(FORGOTTEN)

    def inserted(corrections: Corrections, *, options: CorrectionOptions) -> Proposal:
        turn = _meant(context.campaign(), action, said, options)
        return corrections.insert(action, turn.action, dice=turn.dice or (), secret=turn.secret, options=options)

    preview_ask_apply(context, lambda made: partial(inserted, made), confirmation, done=f"It is put before #{action}")


def _meant(campaign: CampaignView, action: ActionNumber, said: Words, options: CorrectionOptions) -> ActionRequest:
    """The request that the words mean before an action. Raises RollbookError."""
    then = campaign.session.history.looking_back(lambda history: _state_before(history, action))
    rulebook = campaign.session.rulebook
    rulebook.require(then)
    verb = rulebook.verb(then, said[0])
    spoken = parse(verb, ("--why", options.reason, *said[1:]))
    unused: list[str] = []
    return turn_of(campaign, verb, spoken, seat=options.seat, said=unused.append, then=then)


def _state_before(history: History, action: ActionNumber) -> CampaignState:
    history.check(action)
    return history.state_before(action)
