"""audit and receipt."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Words, command, option, paged
from rollbook.adapters.line_commands.views.audit import show_audit, show_dice_remarks
from rollbook.application.lines.answering import AnsweredFailure
from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.audit.dice_audit import dice_list
from rollbook.domain.audit.receipts import check_receipts, read_receipt

NOT_PROVEN = (
    "A file alone cannot prove that its end was not cut off, or that the whole history was not written again with other "
    "content: that takes a receipt that a player noted. It proves that the words are those that were stored, not what they "
    "mean."
)


@command()
@option("--receipt", "noted", multiple=True, metavar="LINE", help="A receipt that somebody kept; again for more.")
@option("--dice", "with_dice", is_flag=True, help="List everything about dice that a reader should know.")
@paged
def audit(context: CommandContext, noted: Words, with_dice: bool) -> None:
    """Check the history: its chain, its dice against the revealed seeds, its outcomes against the rules.

    A receipt is proof with all 26 letters of its code; one with fewer is compared, and refused as proof.

    \b
    rollbook audit --receipt "sherwood @47 HX5Z6-R1KXN-AQHMC-NBCGD-KPQN6W dice TSW0X-ZE2VD-GV92K-0SZZD-WXD2TK"
    """
    campaign = context.campaign()
    receipts = [read_receipt(line) for line in noted]
    with context.bar("Checking"):
        answers: tuple[Answer, ...] = campaign.audit()
    with context.bar("Comparing"):
        if receipts:
            entries = campaign.history.entries
            answers = (*answers, check_receipts(campaign.id, receipts, entries, of=answers[0].entries))
        remarks = dice_list(campaign.history.entries) if with_dice else ()
    if context.json:
        listed = {"dice": remarks} if with_dice else {}
        context.data({"campaign": campaign.id, "answers": answers, **listed})
    else:
        show_audit(context, answers)
        show_dice_remarks(context, remarks)
        context.print(NOT_PROVEN)
    if not all(answer.is_good for answer in answers):
        raise AnsweredFailure("damaged")
    if receipts and answers[-1].verdict is not Verdict.VERIFIED:
        raise AnsweredFailure("refused")


@command()
def receipt(context: CommandContext) -> None:
    """The line that a player keeps: campaign, entry, its code, and the code of the session's dice.

    Note it somewhere that the GM cannot change: a chat, a photograph, a diary. 'rollbook audit --receipt LINE' shows later
    whether the history is still the one that it was noted from; so does verify_rollbook.py with the code.
    """
    kept = context.campaign().receipt()
    context.tell(kept, str(kept))
