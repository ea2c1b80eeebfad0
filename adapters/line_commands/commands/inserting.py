"""insert: an action that was forgotten is put into the past."""

from functools import partial

from rollbook.adapters.line_commands.confirm import Confirmation, correction_options, preview_ask_apply
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import UsageError, Words, argument, command
from rollbook.adapters.line_commands.options import action_param
from rollbook.application.corrections import FORGOTTEN, Corrections
from rollbook.application.lines.performing import turn_before
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import CorrectionOptions, Proposal


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
        turn = turn_before(context.campaign(), action, said, seat=options.seat, why=options.reason)
        return corrections.insert(action, turn.action, dice=turn.dice or (), secret=turn.secret, options=options)

    preview_ask_apply(context, lambda made: partial(inserted, made), confirmation, done=f"It is put before #{action}")
