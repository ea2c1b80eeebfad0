"""The answers of an audit."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.presentation.plain_text import printable
from rollbook.domain.audit.answers import Answer
from rollbook.domain.audit.dice_list import Listed

MOST_FINDINGS = 8


def show_dice_remarks(context: CommandContext, found: tuple[Listed, ...]) -> None:
    """Print what a reader should know about the dice: remarks, not accusations."""
    rows = [(Text(f"@{one.entry}", "cyan"), Text(one.kind, "dim"), Text(printable(one.text))) for one in found]
    if rows:
        context.print(Text("About the dice", "bold yellow"))
        context.print_columns(rows, indent=2)


def show_audit(context: CommandContext, answers: tuple[Answer, ...]) -> None:
    """Print a line for each answer, with its findings."""
    colours = {"VERIFIED": "bold green", "UNPROVEN": "bold yellow", "FAILED": "bold red"}
    rows = []
    for answer in answers:
        covers = [f"{answer.covered:,} of {answer.entries:,} entries"] if answer.entries else []
        remarks = Text("; ".join([*covers, *answer.remarks]))
        rows.append((answer.question, Text(answer.verdict, colours[answer.verdict]), remarks))
        for finding in answer.findings[:MOST_FINDINGS]:
            where = f"@{finding.entry}: " if finding.entry else ""
            rows.append(("", Text(""), Text(where + finding.text, colours[answer.verdict].removeprefix("bold "))))
        if len(answer.findings) > MOST_FINDINGS:
            rows.append(("", Text(""), Text(f"… and {len(answer.findings) - MOST_FINDINGS} more")))
    context.print_columns(rows)
