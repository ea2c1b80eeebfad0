"""The third question, the rules: whether every intent, resolved again with its own dice, gives what is recorded."""

from __future__ import annotations

from collections.abc import Iterable

from domain.audit.answers import Answer, Finding, answer
from domain.dice_supply import NoDice, RecordedDice
from domain.errors import RollbookError
from domain.events import (
    ActionTaken,
    Resolved,
    RulesetAdopted,
)
from domain.history import Entry, History
from domain.rulebook import Rulebook


def audit_rules(entries: Iterable[Entry], rulebook: Rulebook) -> Answer:
    """Whether every recorded intent, resolved again on the state of its moment with its own dice, gives its facts."""
    history = History()
    failed: list[Finding] = []
    missing: list[Finding] = []
    again = stands = 0
    for entry in entries:
        header = entry.header
        if isinstance(header, Resolved):
            if header.provenance != "played":
                stands += 1
            else:
                again += 1
                _check_rules(history, entry, header, rulebook, failed, missing)
        history.add(entry)
    if stands and not again:
        missing.append(Finding(0, "nothing in this history was decided by rules that could be played again"))
    remarks = [f"{again} outcomes resolved again"]
    remarks += [f"{stands} stand as recorded (imported, or ruled by the GM)"] if stands else []
    return answer("rules", again, failed, missing, remarks)


def _check_rules(
    history: History,
    entry: Entry,
    header: Resolved,
    rulebook: Rulebook,
    failed: list[Finding],
    missing: list[Finding],
) -> None:
    ruleset = rulebook.rulesets.get(header.ruleset)
    adopted = ((fact.ruleset, fact.version) for fact in entry.facts if isinstance(fact, RulesetAdopted))
    for key, version in ((header.ruleset, header.version), *adopted):
        known = rulebook.rulesets.get(key)
        if key and (known is None or known.version != version):
            installed = f"version {known.version} is installed" if known else "it is not installed"
            missing.append(Finding(entry.number, f"played by {key} {version}; {installed}"))
            return
    campaign = history.state if isinstance(header, ActionTaken) else history.state_before(header.action)
    try:
        played = rulebook.play(
            campaign,
            header.intent,
            RecordedDice([entry.facts], NoDice()),
            seat=header.seat if isinstance(header, ActionTaken) else history.seat_of(header.action),
            secret=header.visibility == "gm",
            ruleset=None if campaign.name else ruleset,
        )
    except RollbookError as refusal:
        failed.append(Finding(entry.number, f"#{header.action} is recorded, but the rules say: {refusal}"))
        return
    if played.facts != entry.facts:
        failed.append(Finding(entry.number, f"#{header.action} comes out differently when it is resolved again"))
