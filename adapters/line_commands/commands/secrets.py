"""reveal and redact."""

from shlex import quote

from rollbook.adapters.line_commands.confirm import check_somebody_is_there
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import UsageError, Words, argument, command, option
from rollbook.adapters.line_commands.options import action_param, seat_option
from rollbook.adapters.line_commands.views.performed import show_entry
from rollbook.application.redaction import Redaction
from rollbook.application.redaction import redact as remove
from rollbook.application.visibility.sight import kept_from_table
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.redaction import redactable
from rollbook.projections.numbers import number_range


@command()
@argument("what", nargs=-1, required=True, metavar="WHO | N ...")
@seat_option("Who reveals it (default: the GM).")
def reveal(context: CommandContext, what: Words, seat: str | None) -> None:
    """Reveal a hidden character, or actions that only the GM could see.

    Players' exports hold it from now on, and can be proven to be what was kept then: the receipts are the same.

    \b
    rollbook reveal assassin        everybody may know the assassin from now on
    rollbook reveal 12 14           what happened in #12 and #14, with their dice
    """
    campaign = context.campaign()
    ranges = {word: number_range(word) for word in what}
    named = [word for word, bounds in ranges.items() if bounds is None]
    wrong = next((word for word in named if word[:1] in ("@", "#")), None)
    if wrong:
        raise UsageError(
            f"{wrong!r} is neither a character nor the number of an action, such as 12, or a range, such as 12-40."
        )
    if len(named) > 1:
        raise UsageError("Reveal one character at a time.")
    entries = [entry for bounds in ranges.values() if bounds for entry in kept_from_table(context.history(), bounds)]
    who = campaign.character_id(named[0]) if named else ""
    params: dict[str, ParameterValue] = {"who": who, "entries": tuple(entry.number for entry in entries)}
    entry = context.played().do("reveal", params, seat=seat)
    context.project()
    show_entry(context, entry)


@command()
@argument("action", kind=action_param, metavar="N")
@option("--why", metavar="TEXT", required=True, help="The reason, without the words; it stays on record.")
@option("-y", "--yes", is_flag=True, help="Do it without asking.")
@seat_option("Who does it (default: the GM).")
def redact(context: CommandContext, action: ActionNumber, why: str, yes: bool, seat: str | None) -> None:
    """Remove the words of a note from the store for good: a person's private words, a matter of safety.

    The history still verifies, and that words were removed stays on record. It cannot be undone, and nothing but the words of
    a note can ever be removed. Files that were exported before still hold them; backups that may hold them are named. If the
    program was stopped in the midst of it, say it again.
    """
    campaign = context.campaign()
    number = action or context.history().actions
    redactable(context.history(), number)
    if not yes:
        check_somebody_is_there(context, "Add --yes to remove the words.")
        context.agree(f"Remove the words of #{number} for good? This cannot be undone", or_stop=True)

    gone = remove(context.book(), context.played(), number, why=why, seat=seat)
    context.project()
    show_entry(context, gone.entry)
    if not context.json:
        _say_what_is_gone(context, number, gone)
    context.say_what_is_left()
    if gone.stay:
        entries = ", ".join(f"@{entry}" for entry in gone.stay)
        raise RollbookError(
            f"Not all of the words are gone. In {entries} the envelope holds them too, as that of an imported note once did. Its "
            f"hash covers them, so there they stay; only deleting the campaign removes them: "
            f"rollbook delete-campaign {quote(campaign.id)}"
        )


def _say_what_is_gone(context: CommandContext, number: ActionNumber, gone: Redaction) -> None:
    also = f", and from its copies on {', '.join(gone.copies)}" if gone.copies else ""
    if not gone.is_new and not gone.stay:
        context.print(f"The words of #{number} had been removed before. What was left of them is gone as well.")
    elif not gone.stay:
        context.print(
            f"The words are gone from this computer's store{also}. Files that were exported before still hold them."
        )
    if gone.backups:
        context.print(
            f"So do backups, which nobody can reach into: {', '.join(map(quote, gone.backups))}. Delete them."
        )
