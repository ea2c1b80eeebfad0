"""Filters typed on the command line, and the log lines that match them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from adapters.cli.context import CliContext
from domain.entries import Intent
from domain.errors import NotFound, not_found
from projections.filters import NAMED, BadFilter, SqlCondition, named, read
from projections.session_log import names_in


def filter_of(words: Sequence[str]) -> SqlCondition:
    """The filter; no words fit everything. Raises BadFilter with a caret under the fault."""
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None
    return read(" ".join(words), zone=zone)


def unknown_names(cli: CliContext, words: Sequence[str]) -> str:
    """What of a filter that found nothing never stands in this log, with what is near; "" if all of it does."""
    campaign, db = cli.campaign(), cli.read_model.db
    for field, value in named(" ".join(words)):
        known = names_in(db, campaign.id, NAMED[field])
        if not any(name.casefold().startswith(value.casefold()) for name in known):
            return str(not_found("character" if field in ("who", "target") else field, value, sorted(known)))
    return ""


def _check_not_empty(words: Sequence[str]) -> None:
    if not "".join(words).strip():
        raise BadFilter("", 0, "The filter is empty, and everything is hardly meant. Say which: 'who=ogre scene=3'")


def matching_entries(cli: CliContext, words: Sequence[str]) -> frozenset[int]:
    """The numbers of the entries that fit a filter. Raises BadFilter, and NotFound if none does."""
    campaign = cli.campaign()
    _check_not_empty(words)
    cli.project()
    found = cli.read_model.log(campaign.id, where=filter_of(words), everything=True)
    if not found:
        raise NotFound(f"Nothing fits: {' '.join(words)}. {unknown_names(cli, words)}".rstrip())
    return frozenset(line.entry for line in found)


def matching_actions(cli: CliContext, words: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the actions that count, can be taken back and fit a filter. Raises BadFilter, and NotFound if none does."""
    campaign = cli.campaign()
    _check_not_empty(words)
    cli.project()
    lines = cli.read_model.log(campaign.id, where=filter_of(words))
    is_final = partial(campaign.rulebook.is_final, campaign.state)
    found = tuple(line.action for line in lines if line.status == "counts" and not is_final(Intent(verb=line.verb)))
    if not found:
        raise NotFound(f"No action that counts fits: {' '.join(words)}. {unknown_names(cli, words)}".rstrip())
    return found
