"""Compares what the engine answers with what the oracle makes of the stored lines. Each difference has a name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.application.campaign import Campaign
from tests.oracle.fold import State, folded
from tests.oracle.ledger import pieces
from tests.oracle.numbers import Counting, Shown, broken
from tests.oracle.playing import Expected, plain
from tests.oracle.sight import Sight, whole_file
from tests.oracle.stored import TAKEN, Entry
from tests.oracle.stream import code


class Disagreement(AssertionError):
    """Engine and oracle do not agree; ``about`` is the name of what they do not agree about."""

    def __init__(self, about: str, said: str) -> None:
        super().__init__(said if said.startswith("campaign ") else f"{about}: {said}")
        self.about = about


def same(about: str, engine: Any, oracle: Any) -> None:
    """Raise Disagreement unless both say the same, down to the order of keys."""
    one, other = (json.dumps(value) for value in (engine, oracle))
    if one != other:
        at = next(
            (at for at, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) > 1),
            min(len(one), len(other)),
        )
        begin = max(0, at - 120)
        raise Disagreement(about, f"the engine says …{one[begin : at + 120]}…, the oracle …{other[begin : at + 120]}…")


def appended(entry: Entry, expected: Expected) -> None:
    """One entry as it was stored and as it must be."""
    if entry.kind != TAKEN:
        raise Disagreement("append", f"@{entry.number} is {entry.kind}")
    rolls = [
        [
            (name, [says[key] for key in ("dice", "sources", "occasion", "repeat", "secret")])
            for name, says in events
            if name == "DiceRolled"
        ]
        for events in ([(event.name, event.says) for event in entry.events], expected.events)
    ]
    same("dice", *rolls)
    for about, said, wanted in (
        ("envelope", entry.public, expected.public),
        ("envelope", entry.private, expected.private),
    ):
        for key, value in wanted.items():
            same(f"{about} {key}", said[key], value)
    _same_unordered("intent", entry.intent, expected.intent)
    _same_unordered(
        "events", [[event.name, event.says] for event in entry.events], [list(each) for each in expected.events]
    )


def _same_unordered(about: str, engine: Any, oracle: Any) -> None:
    same(about, *(json.loads(json.dumps(value, sort_keys=True)) for value in (engine, oracle)))


def history(campaign: Campaign, entries: list[Entry], now: State) -> None:
    """Numbers, hashes, which outcome counts, the state, and the receipt."""
    for wrong in broken(entries):
        raise Disagreement("chain", wrong)
    loaded, counting = campaign.history, Counting(entries)
    same(
        "entries", [[each.number, each.hash] for each in loaded.entries], [[each.number, each.hash] for each in entries]
    )
    outcomes = {action: entry.number if entry else 0 for action, entry in loaded.outcomes()}
    same("which counts", outcomes, {action: entry.number if entry else 0 for action, entry in counting.counts.items()})
    same("state", plain(campaign.state), now)
    if loaded.state is not campaign.state:
        same("state of the whole history", plain(loaded.state), now)
    shown, session = Shown(entries), now["session"]
    commit = f" dice {code(bytes.fromhex(session['commit_table']))}" if session and session["commit_table"] else ""
    receipt = f"{campaign.id} @{shown.entries} {code(bytes.fromhex(shown.hash))}{commit}"
    same("receipt", str(campaign.receipt()), receipt)


def moments(campaign: Campaign, entries: list[Entry], chance: Random) -> None:
    """As known at some entries, and as corrected to some actions."""
    loaded, whole = campaign.history, Counting(entries)
    for entry in chance.sample(entries, min(3, len(entries))):
        known = folded(Counting(entries[: entry.number]).effective())
        same(f"as known at @{entry.number}", plain(loaded.as_known_at(entry.number)), known)
    for action in chance.sample(range(len(whole.counts) + 1), min(3, len(whole.counts) + 1)):
        said = plain(loaded.as_corrected_to(action))
        same(f"as corrected to #{action}", said, folded(whole.effective(action)))


def files(
    campaign: Campaign, entries: list[Entry], now: State, folder: Path, secrets: Mapping[str, str], chance: Random
) -> None:
    """The whole file and that of a seat or the table, byte for byte; ``secrets`` are words and who alone may read them."""
    for seat in chance.sample(("", *(name for name, who in now["seats"].items() if who["role"] != "gm")), 1):
        sight = Sight(entries, now, seat)
        path = folder / "seat.jsonl"
        export_shown(campaign.session.log, path, Reader(seat), overwrite=True)
        data = path.read_bytes()
        same(
            f"what {seat or 'the table'} sees",
            data.decode().splitlines(),
            sight.file(campaign.id).decode().splitlines(),
        )
        seen = b"".join(entry.data for entry in entries if sight.sees(entry))
        for word, whose in secrets.items():
            if word.encode() in data and (whose != seat or not seat) and word.encode() not in seen:
                raise Disagreement("a secret", f"{word!r} is in the file of {seat or 'the table'}")
    path = folder / "whole.jsonl"
    export_campaign(campaign.session.log, path, overwrite=True)
    same(
        "the whole file",
        path.read_bytes().decode().splitlines(),
        whole_file(entries, campaign.id).decode().splitlines(),
    )


def audits(campaign: Campaign, entries: list[Entry]) -> None:
    """The three answers, and how many entries each covers."""
    right_ones = chain_verdict(entries), dice_verdict(entries), rules_verdict(entries)
    for answer, right in zip(campaign.audit(), right_ones, strict=True):
        said = [str(answer.verdict), answer.covered, answer.entries]
        if said != [right, len(entries), len(entries)]:
            found = [finding.text for finding in answer.findings]
            raise Disagreement(
                f"audit of {answer.question}", f"{said}, and {right} of {len(entries)} is right; {found}"
            )


def chain_verdict(entries: list[Entry]) -> str:
    """From an action on that is a ruling from the first, as in a rerun, seats and sessions are not followed."""
    is_ruled = any(entry.kind == "ActionTaken" and entry.public.get("provenance") == "ruling" for entry in entries)
    return "UNPROVEN" if is_ruled else "VERIFIED"


def rules_verdict(entries: list[Entry]) -> str:
    """What was ruled proves nothing, unless it only says why nothing was played, or is what the action came to before."""
    came_to: dict[int, list[list[tuple[str, Any]]]] = {}
    for entry in entries:
        if not entry.is_outcome:
            continue
        outcome = [(event.name, event.says) for event in entry.events]
        before = came_to.setdefault(entry.action, [])
        is_bound = outcome in before or (not before and all(name == "RulingMade" for name, _ in outcome))
        if entry.public.get("provenance") == "ruling" and not is_bound:
            return "UNPROVEN"
        before.append(outcome)
    return "VERIFIED"


def dice_verdict(entries: list[Entry]) -> str:
    """Whether the seeds of all dice of the streams are revealed; real dice alone prove nothing."""
    events = [event for entry in entries for event in entry.events]
    seeds = {(event.says["session"], event.says["screen"]) for event in events if event.name == "DiceRevealed"}
    drawn = list(pieces(events))
    typed = any(source[0] == "physical" for event in events for source in event.says.get("sources", ()))
    shown = [piece for piece in drawn if (piece.session, piece.place[0]) in seeds]
    return "VERIFIED" if len(shown) == len(drawn) and (shown or not typed) else "UNPROVEN"
