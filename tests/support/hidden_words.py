"""Two stores that differ in one thing, the name of a hidden character, and players who happen to say that name."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import written
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain.actions.speech import MEANS_SOMEBODY
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import ParameterValue, Role
from rollbook.domain.rules.action import Action, is_the_gms, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import CampaignState, Character
from tests.support.example_sessions import played_example
from tests.support.exports import export_for
from tests.support.games import random_play_of

SAID, OTHER = "Zorgul", "Yorick"
"""Names of the hidden character in the one store and in the other; players say the first."""
WORDS = (SAID, f"beware the {SAID}", f"hidden-{SAID.casefold()}")
"""The name, the name among words, and the id."""

FREE = tuple(each for each in ParameterType if each.value_type is str and each not in (*MEANS_SOMEBODY,)) + (
    *(ParameterType.TEXTS, ParameterType.USE, ParameterType.AMOUNTS, ParameterType.PAIRS, ParameterType.SETTINGS),
)
"""Parameters into which a person types words."""

_CHANCE = re.compile(r"\b[0-9a-f]{16,64}\b|\b(?:[0-9A-Z]{5}-)+[0-9A-Z]{5,6}\b|[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.+Z]*")
_TIME = re.compile(rb"\b[0-9]{16}\b")


def two_stores(example: str, folder: Path) -> tuple[Campaign, Campaign]:
    """An example session, played on in two stores with a hidden character of different names."""
    one, other = (_store(example, folder / name, name) for name in (SAID, OTHER))
    return one, other


def _store(example: str, folder: Path, name: str) -> Campaign:
    """The session in a folder of its own, with the same dice each time, and a hidden character of that name."""
    drawn: defaultdict[int, Iterator[int]] = defaultdict(
        lambda: itertools.count(1)
    )  # by size: names of files are drawn too
    folder.mkdir()
    with (
        patch("secrets.token_bytes", lambda size: next(drawn[size]).to_bytes(size, "big")),
        patch("secrets.token_hex", lambda size: f"{next(drawn[size]):0{2 * size}x}"),
    ):
        campaign = played_example(example, folder, from_scratch=True)
        if not (campaign.state.session and campaign.state.session.is_open):
            campaign.do("open-session", title="another")
    campaign.do("take-seat", {"seat": "Watcher", "role": "spectator"})
    campaign.do("note", text="a first secret", to="gm")
    joins = [made.move.intent for made in random_play_of(campaign.state.ruleset).opening]
    for intent in (each for each in joins if each.verb == "join"):
        said = {key: value for key, value in intent.params.items() if key not in ("id", "seat", "first")}
        with suppress(RollbookError):
            campaign.do("join", {**said, "name": name, "id": f"hidden-{name.casefold()}"}, secret=True)
            break
    assert any(who.hidden and who.name == name for who in campaign.state.characters.values())
    return campaign


def players_of(state: CampaignState) -> list[str]:
    """The seats that may act and see no hidden character."""
    return [seat.name for seat in state.seats.values() if seat.role is Role.PLAYER and seat.present]


def free_parameters(campaign: Campaign) -> Iterator[tuple[type[Action], Parameter]]:
    """Every parameter of every verb of players into which words are typed, or whom a parameter means."""
    for verb in campaign.session.rulebook.verbs(campaign.state).values():
        if is_the_gms(verb):
            continue
        for parameter in user_parameters(verb):
            if parameter.want in FREE or parameter.want in MEANS_SOMEBODY:
                yield verb, parameter


def line_of(campaign: Campaign, seat: str, verb: type[Action], parameter: Parameter, words: str) -> str:
    """A line of a seat's in which words are typed for a parameter; the rest is as it was said last, or anything."""
    last = _last_said(campaign, verb.verb)
    said = [verb.verb]
    for each in user_parameters(verb):
        value = last.get(each.name, each.default)
        if each.name == parameter.name:
            said += [f"--{each.option}", _typed(each, words)]
        elif each.actor and each.want is ParameterType.CHARACTER:
            said += [f"--{each.option}", _own(campaign.state, seat).id]
        elif each.required:
            said += [f"--{each.option}", typed(value) if value not in (None, "", ()) else _anything(campaign, each)]
    return written(said)


def _typed(parameter: Parameter, words: str) -> str:
    if parameter.want in (ParameterType.AMOUNTS, ParameterType.PAIRS, ParameterType.SETTINGS):
        return f"{words}=1"
    return words


def _own(state: CampaignState, seat: str) -> Character:
    return next(who for who in state.characters.values() if who.seat == seat and who.present)


def _last_said(campaign: Campaign, verb: str) -> Mapping[str, ParameterValue]:
    found = [
        entry.full_intent
        for _, entry in campaign.session.history.look_back().outcomes()
        if entry and entry.intent.verb == verb
    ]
    return found[-1].params if found else {}


def _anything(campaign: Campaign, parameter: Parameter) -> str:
    if parameter.choices:
        return parameter.choices[0]
    if parameter.want in MEANS_SOMEBODY:
        return next(
            who.id for who in campaign.state.characters.values() if not who.hidden and who.present and not who.seat
        )
    return {ParameterType.NUMBER: str(parameter.minimum or 1), ParameterType.DICE: "1d6"}.get(
        parameter.want, "anything"
    )


def answer(campaign: CampaignView, line: str, seat: str | None) -> str:
    """The answer to a seat, or its refusal; and whether anything of the entries is hidden."""
    try:
        said = campaign.say(line, seat=seat) if isinstance(campaign, Campaign) else campaign.ask(line)
    except RollbookError as fault:
        return _plain(f"{type(fault).__name__}: {fault} {getattr(fault, 'near', '')}")
    hidden = [(entry.visibility, entry.hidden_events) for entry in said.entries]
    return _plain(f"{said.text} {hidden}")


def views(campaign: Campaign, folder: Path) -> Iterator[tuple[str, object]]:
    """Everything that players, spectators and the table read: logs, sheets, files."""
    for seat in (*players_of(campaign.state), "Watcher"):
        seen = as_seen(campaign, seat)
        for question in ("log --all", "log --json --all", "status", "sheet", "stats"):
            yield f"{seat}: {question}", answer(seen, question, None)
    for reader in ("", *players_of(campaign.state), "Watcher"):
        file = export_for(campaign, folder / f"{campaign.id}.{reader}.jsonl", reader)
        yield f"file for {reader or 'the table'}", _TIME.sub(b"TIME", re.sub(rb"[0-9a-f]{16,}", b"HASH", file))


def _plain(text: str) -> str:
    return _CHANCE.sub("CHANCE", text)
