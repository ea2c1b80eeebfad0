"""Taking a timeline over: canon is corrected, choice by choice, with canon's dice (docs/timelines.md, Making it so)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.playing.request import ActionRequest
from rollbook.application.timelines.forking import merge_plan
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.corrections.changes import Orphans
from rollbook.domain.rules.action import build, parameters
from tests.oracle.campaign import Played
from tests.oracle.comparing import Disagreement
from tests.oracle.numbers import Counting
from tests.oracle.playing import Asked
from tests.oracle.stored import NOTES, TAKEN, Entry, words_said
from tests.oracle.timelines import Choice


def take_over(played: Played, timeline: str, *, keep_later: bool) -> None:
    """All that is asked for is done, and compared step by step."""
    marker = played.streams.store.markers[timeline]
    try:
        canon, plan = merge_plan(played.book, played.campaign(timeline), keep_later=keep_later)
    except RollbookError:
        if not marker["ruleset"]:
            raise
        return
    for wrong in _wrong(played, timeline, plan, keep_later=keep_later):
        raise Disagreement("take-over", wrong)
    cause = 0
    if plan.changes:
        head = len(played.entries(canon.id))
        made = played.correct(canon.id, plan.changes, stand=False, orphans=Orphans.UNDO)
        if made is None:
            return
        new = played.entries(canon.id)[head:]
        cause = next((entry.number for entry in new if entry.kind != TAKEN), 0)
    for choice in plan.new_actions:
        intent, secret = choice.intent, choice.entry.visibility == "gm"
        asked = Asked(
            verb=intent.verb,
            params=intent.params,
            seat=choice.entry.seat or None,
            secret=secret,
            reason="so",
            causation=cause,
        )

        def take(canon: Any, asked: Asked = asked) -> None:
            verb = canon.session.rulebook.verb(canon.refresh().state, asked.verb)
            action = build(verb, {**placeholders(verb), **asked.params})
            canon.session.take(ActionRequest(action, asked.seat, None, asked.secret, asked.reason, asked.causation))

        if played.do(canon.id, asked, take) is None:
            break
    played.seen["taken over"] += 1


def _choice(played: Played, entry: Entry) -> Choice:
    """What was chosen, without what only the engine fills in."""
    intent = entry.intent
    game = played.book.rulebook.rulesets.get(entry.public["ruleset"])
    verb = (game.verb(intent["verb"]) if game else None) or played.player.shared[intent["verb"]]
    hidden = {parameter.name for parameter in parameters(verb) if parameter.hidden and not parameter.by_program}
    said = {**(words_said(entry.events) if intent["verb"] in NOTES else {}), **intent["params"]}
    meant = {name: repr(value) for name, value in said.items() if name not in hidden}
    return intent["verb"], tuple(sorted(meant.items()))


def _wrong(played: Played, timeline: str, plan: Any, *, keep_later: bool) -> Iterator[str]:
    """What of a plan is not as the documents say: every choice since the fork once and in order, and nothing final."""
    marker = played.streams.store.markers[timeline]
    shared = [entry for entry in played.entries(timeline)[: marker["entry"]] if entry.is_first]
    last = len(shared)
    fork = max(entry.action for entry in shared if entry.kind == TAKEN)
    orders = [Counting(played.entries(stream)).counts for stream in (marker["parent"], timeline)]
    here, there = (
        {
            action: _choice(played, entry)
            for action, entry in list(counts.items())[list(counts).index(fork) + 1 :]
            if entry
        }
        for counts in orders
    )
    asked = [_numbers(one) for one in plan.asked]
    left = [_numbers(one) for one in plan.left]
    both = [(ours, theirs) for ours, theirs in (*asked, *left) if ours > last and theirs]
    told = {ours for ours, _ in (*asked, *left)}, {theirs for _, theirs in (*asked, *left)}
    silent = [action for action in here if action not in told[0]], [action for action in there if action not in told[1]]
    same = list(zip(*silent, strict=False))
    if [here[ours] for ours, _ in same] != [there[theirs] for _, theirs in same] or len(silent[1]) != len(same):
        yield f"of {silent} nothing is said, and they are not the same choices"
    if len(silent[0]) != len(same) and not keep_later:
        yield f"canon's {silent[0]} are neither asked for nor left alone"
    places = [list(counts) for counts in orders]
    pairs = sorted((places[0].index(ours), places[1].index(theirs)) for ours, theirs in {*both, *same})
    if [theirs for _, theirs in pairs] != sorted(theirs for _, theirs in pairs):
        yield f"it pairs {pairs}"
    yield from (f"#{ours} is paired with another verb" for ours, theirs in both if here[ours][0] != there[theirs][0])
    for one in plan.asked:
        ours, theirs = _numbers(one)
        if ours > last and played.player.is_final(here[ours][0]):
            yield f"#{ours} is final, and canon is asked to change it"
        if ours > last and theirs:
            differs = {name for name, value in there[theirs][1] if dict(here[ours][1]).get(name) != value}
            if set(one.change.params) != differs:
                yield f"#{ours} is changed in {set(one.change.params)}, and {differs} differ"


def _numbers(one: Any) -> tuple[int, int]:
    """The action on canon and on the timeline, 0 for none."""
    return (one.canon.action if one.canon else 0), (one.timeline.action if one.timeline else 0)
