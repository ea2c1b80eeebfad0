"""store rules: which rules are in force where several computers share a store."""

import attrs
import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command
from rollbook.application.ports.rules_in_force import SHOWN
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.state.campaign_state import EMPTY


@command()
@click.option("--adopt", is_flag=True, help="Put the files of this computer in force for all, where they differ.")
def rules(cli: CliContext, *, adopt: bool) -> None:
    """The rulesets of a store that several computers share, and whether this computer has the files that it is played by.

    A computer whose files differ reads and does not play. Install an update on all of them, then put it in force on one:

    \b
    rollbook store rules --adopt
    """
    book = cli.book()
    in_store = book.surroundings.rules
    if in_store is None:
        raise RollbookError(
            "This store is a file that one computer plays on, with the rules it has; nothing is to be agreed on."
        )
    found = []
    for ruleset in ("", *book.registry.keys):
        own = book.rulebook.fingerprint(attrs.evolve(EMPTY, ruleset=ruleset))
        in_force = in_store.of(ruleset)
        if adopt and own and in_force not in ("", own):
            in_force = in_store.put(ruleset, own, in_force)
        found.append((ruleset, own, in_force))
    if cli.json:
        cli.data(*({"ruleset": ruleset, "here": own, "in_force": in_force} for ruleset, own, in_force in found))
        return
    for ruleset, own, in_force in found:
        said = "the same here" if own == in_force else f"other files here ({own[:SHOWN] or 'not known'})"
        cli.print(
            f"{ruleset or 'without a ruleset'}: {f'{in_force[:SHOWN]}, {said}' if in_force else 'not played yet'}"
        )
