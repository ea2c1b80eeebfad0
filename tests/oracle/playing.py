"""What an action must leave in the store: everything but times, salts and what the rules looked at.

The rules are asked what comes of it, with dice of the oracle's own. Who may see it, whose dice they are and what the engine fills
in is worked out here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.time_zones import known_zone
from rollbook.domain.actions import SHARED
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.record import RollCount, StreamPlace
from rollbook.domain.entries import Intent
from rollbook.domain.events import Role
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build, intent_of, parameters
from rollbook.domain.rules.value_checks import check_values
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from tests.oracle.fold import State
from tests.oracle.ledger import Ledger, counted, pieces
from tests.oracle.numbers import Counting, Shown
from tests.oracle.sight import NEWCOMERS, NOT_SECRET, Hidden, Said, hidden_events, role_of
from tests.oracle.stored import NOTES, REMOVABLE, WORDS, Entry, Event
from tests.oracle.stream import commitment, identity_of, key_of, mixed
from tests.oracle.supply import CanonsDice, NoDice, SessionDice, TypedDice
from tests.oracle.timelines import Streams

UNKNOWN_SALT = "00" * 16


class Refusal(Exception):
    """What the oracle has against an action."""


@attrs.frozen(kw_only=True)
class Asked:
    """What somebody sets out to do; ``seat`` None is the GM."""

    verb: str
    params: Mapping[str, Any]
    seat: str | None = None
    typed: tuple[int, ...] | None = None
    secret: bool = False
    reason: str = ""
    causation: int = 0


@attrs.frozen(kw_only=True)
class Expected:
    """What an entry must say: keys of both envelopes, and its events with their names."""

    public: Mapping[str, Any]
    private: Mapping[str, Any]
    intent: Mapping[str, Any]
    events: list[tuple[str, Any]]


def plain(value: Any) -> Any:
    """A value of the engine's as JSON has it."""
    kind = type(value)
    if kind in (int, str, bool) or value is None:
        return value
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, str) else {name: plain(getattr(value, name)) for name in _fields(kind)}


@cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind) if field.name != "sealed")


class Player:
    """Plays actions on what lies in a store; ``seeds`` is the folder where the dice of open sessions are kept."""

    def __init__(self, rulebook: Rulebook, seeds: Path) -> None:
        self.rulebook = rulebook
        self.seeds = seeds
        self.shared = {verb.verb: verb for verb in SHARED}
        self._decoded: dict[bytes, tuple[Any, ...]] = {}

    def is_final(self, verb: str) -> bool:
        """Whether an action of a verb of every game cannot be undone."""
        return verb in self.shared and self.shared[verb].final

    def decoded(self, entry: Entry) -> Any:
        """An entry in the words of the rules."""
        if entry.data not in self._decoded:
            kind = json.loads(entry.lines[0])[0]
            self._decoded[entry.data] = CODEC.read(StoredEntry(entry.number, kind, entry.data))
        return self._decoded[entry.data]

    def state(self, counting: Counting) -> CampaignState:
        """The campaign in the words of the rules."""
        counting_ones = [entry for entry in counting.counts.values() if entry is not None]
        return fold(EMPTY, (event for entry in counting_ones for event in self.decoded(entry).events))

    def expected(self, streams: Streams, stream: str, asked: Asked, stored: Entry | None) -> Expected:
        """What must be appended. Raises Refusal. ``stored`` is what was: only what nobody can know is taken from it."""
        entries = streams.views[stream]
        counting = Counting(entries)
        return _Turn(self, streams, stream, entries, counting, asked, stored).expected()

    def kept(self, session: str) -> Mapping[str, Any]:
        """The secret numbers of a session that are kept on this computer; none of them if they are not."""
        path = self.seeds / f"{session}.json"
        return json.loads(path.read_text()) if session and path.exists() else {}


@attrs.define
class _Turn:
    player: Player
    streams: Streams
    stream: str
    entries: list[Entry]
    counting: Counting
    asked: Asked
    stored: Entry | None
    now: State = attrs.field(init=False)
    rules: CampaignState = attrs.field(init=False)
    ledger: Ledger = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.now = self.streams.now(self.stream)
        self.rules = self.player.state(self.counting)

    def expected(self) -> Expected:
        """The one entry."""
        asked, rulebook = self.asked, self.player.rulebook
        try:
            verb = rulebook.verb(self.rules, asked.verb)
            if verb.anonymous:
                asked = self.asked = attrs.evolve(asked, seat="", reason="", secret=False)
            if asked.seat and not self.now["seats"].get(asked.seat, {"present": False})["present"]:
                raise Refusal(f"nobody sits at {asked.seat}")
            nothing = {each.name: each.want.nothing for each in parameters(verb) if each.hidden and each.required}
            action = rulebook.speller(self.rules, asked.seat).spelled_action(build(verb, {**nothing, **asked.params}))
            check_values(action)
            self._at_the_door(verb, action)
            if asked.verb == "time-zone":
                action = attrs.evolve(action, zone=known_zone(action.zone))
            action = attrs.evolve(action, **self._filled_in(plain(intent_of(action).params)))
            action, secret = self._settled(action)
            played, secret = self._played(action, secret)
        except RollbookError as why:
            raise Refusal(str(why)) from why
        events = [Event(type(event).__name__, plain(event), b"") for event in played.events]
        hides = any(event.name == "CharacterHidden" for event in events)
        visibility = action.visibility or ("gm" if secret or hides else "")
        return self._entry(action, played, events, visibility)

    def _entry(self, action: Any, played: Any, events: list[Event], visibility: str) -> Expected:
        shown = Shown(self.entries)
        reason = self.asked.reason
        hidden = Hidden([self.now], events) if shown.has_secrets or visibility else Hidden([])
        public = {"visibility": visibility, "reason": reason}
        places = hidden_events(public, events, hidden, self._said(action), has_secrets=shown.has_secrets)
        hides = -1 in places
        intent = plain(intent_of(action))
        if self.asked.verb in (*NOTES, "rename-seat"):
            intent["params"] = {key: value for key, value in intent["params"].items() if key not in WORDS}
        return Expected(
            public={"visibility": visibility, "reason": "" if hides else reason, "seat": self.seat, "revision": 1}
            | {"restores": 0, "provenance": "played", "actor": played.actor, "ruleset": self.now["ruleset"]},
            private={"action": len(self.counting.counts) + 1, "causation": self.asked.causation, "correction": ""}
            | {"hidden_events": places, "reason": reason if hides else "", "stand": False},
            intent=intent,
            events=[(event.name, event.says) for event in events],
        )

    @property
    def seat(self) -> str:
        """The seat that acts: the one named, or the GM's."""
        if self.asked.seat is not None:
            return self.asked.seat
        seats = self.now["seats"].values()
        return next((seat["name"] for seat in seats if seat["role"] == "gm" and seat["present"]), "")

    def _filled_in(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """What the engine alone knows. Only random numbers are taken from what was stored."""
        self.ledger = Ledger(self.entries)
        found, verb, session = self._random(), self.asked.verb, self.now["session"]
        if verb == "open-session":
            return (
                self._commitments(found.get("nonce", ""))
                if self.stored and not (session and session["is_open"])
                else {}
            )
        if verb in (*NOTES, "rename-seat"):
            return {"salt": self._salt()}
        if verb == "adopt":
            return {name: found[name] for name in ("settings", "version", "package") if name in found}
        if verb == "entropy":
            if self.ledger.used:
                raise Refusal("dice have been rolled")
            if session and self.streams.revealed(self.stream, session, screen=False) is not None:
                raise Refusal("its dice are canon's")
        if verb == "close-session" and session:
            seed = self._seed(session, screen=False)
            return {"seed": seed, "counts": _counts(self.ledger.counts(screen=False))}
        if verb == "reveal-screen":
            return self._screen(params["session"])
        if verb == "grant-dice":
            return {
                "session": self.ledger.session,
                "places": tuple(StreamPlace(*place) for place in self._granted(params)),
            }
        return {}

    def _random(self) -> Mapping[str, Any]:
        return self.stored.intent["params"] if self.stored else {}

    def _salt(self) -> str:
        written = [event for event in self.stored.events if event.name in REMOVABLE] if self.stored else []
        return str(written[0].says["salt"]) if written else UNKNOWN_SALT

    def _commitments(self, nonce: str) -> dict[str, str]:
        """What was published, worked out from the secret numbers that are kept."""
        sid = identity_of(bytes.fromhex(self.now["identity"]), bytes.fromhex(nonce))
        kept = self.player.kept(sid.hex())
        commits = [
            commitment(screen, sid, bytes.fromhex(kept[name])).hex() if kept else ""
            for screen, name in ((False, "table"), (True, "screen"))
        ]
        return {"identity": sid.hex(), "nonce": nonce, "commit_table": commits[0], "commit_screen": commits[1]}

    def _seed(self, session: Mapping[str, Any], *, screen: bool) -> str:
        known = self.streams.revealed(self.stream, session, screen=screen)
        if known is not None:
            return known
        return self._mine(session).get("screen" if screen else "table", "")

    def _mine(self, session: Mapping[str, Any]) -> Mapping[str, Any]:
        """The secret numbers of a session of this campaign in this store, under this name."""
        kept = self.player.kept(session["identity"])
        name = self.stream.partition("~")[0]
        return kept if kept.get("stream") == name and kept.get("campaign") == self.now["identity"] else {}

    def _screen(self, number: int) -> dict[str, Any]:
        for entry in self.entries:
            for event in entry.events:
                if event.name == "SessionOpened" and event.says["session"] == number:
                    if self.streams.revealed(self.stream, event.says, screen=True) == "":
                        raise Refusal("it was opened on canon")
                    seed = self._mine(event.says).get("screen", "")
                    if seed:
                        return {"seed": seed, "counts": _counts(counted(self.entries, number, screen=True))}
        raise Refusal("the secret dice of that session are not kept here")

    def _granted(self, params: Mapping[str, Any]) -> list[Any]:
        session = self.now["session"]
        if not session or not session["is_open"]:
            return []
        if params["action"] not in self.counting.counts:
            raise Refusal("no such action")
        outcomes = self.counting.outcomes[params["action"]].values()
        places = [
            piece.place for entry in outcomes for piece in pieces(entry.events) if piece.session == self.ledger.session
        ]
        mine = [place for place in dict.fromkeys(places) if place[0] == bool(params.get("screen"))]
        return [place for place in mine if place in self.ledger.waiting]

    def _settled(self, action: Any) -> tuple[Any, bool]:
        """The action with what is settled when it is taken, and whether it is secret by what is asked."""
        names = action.settled(self.rules, secret=self.asked.secret)
        if names and not self.asked.secret and self._is_secret(action):
            names = action.settled(self.rules, secret=True)
        action = attrs.evolve(action, **names) if names else action
        return action, self._is_secret(action)

    def _at_the_door(self, verb: Any, action: Any) -> None:
        """A player names somebody who acts, unless any seat may take it; and the verb may have a reason of its own."""
        role = role_of(self.now, self.seat)
        is_free = role == "gm" or verb.gm_only or verb.anonymous or verb.by_any_seat
        if not is_free and not any(getattr(action, each.name) for each in parameters(verb) if each.actor):
            raise Refusal("nobody acts")
        action.check_taken(self.rules, Role(role))

    def _said(self, action: Any) -> Said:
        seat = "" if role_of(self.now, self.seat) == "gm" else self.seat
        return Said(type(action), seat, plain(intent_of(action).params))

    def _is_secret(self, action: Any) -> bool:
        hidden = Hidden([self.now])
        if action.verb == "reveal":
            hidden = Hidden([])
        new = NEWCOMERS.get(action.verb, ())
        params = {name: value for name, value in plain(intent_of(action).params).items() if name not in new}
        said = self._said(action)
        names = said.intent_names(hidden, params) or said.reason_names(hidden, self.asked.reason)
        secret = self.asked.secret or names
        if secret and action.verb in NOT_SECRET:
            raise Refusal("what is for everybody cannot be secret")
        return secret

    def _played(self, action: Any, secret: bool) -> tuple[Any, bool]:
        """What the rules make of it; open dice that name somebody hidden are rolled behind the screen instead."""
        played = self._play(action, secret)
        told = [Event(type(event).__name__, plain(event), b"") for event in played.events]
        joined = [event for event in told if event.name == "CharacterJoined"]
        hidden = Hidden([self.now], told if joined else [])
        open_dice = [event for event in told if event.name == "DiceRolled" and not event.says["secret"]]
        said = self._said(action)
        names = action.verb != "reveal" and any(said.event_names(hidden, event.says) for event in open_dice)
        if not secret and action.verb not in NOT_SECRET and names:
            return self._play(action, True), True
        return played, secret

    def _play(self, action: Any, secret: bool) -> Any:
        intent = Intent(verb=action.verb, params=intent_of(action).params)
        rulebook = self.player.rulebook
        return rulebook.play(self.rules, intent, self.dice(), seat=self.seat, secret=secret, action=action)

    def dice(self) -> Any:
        """The dice that the seat meets."""
        agreed, session = self.now["agreed"], self.now["session"]
        policy = agreed.get(f"dice/{self.seat}", agreed.get("dice", "either"))
        if self.asked.typed is not None:
            if self.asked.typed and policy == "stream":
                raise Refusal("this seat rolls from the stream")
            return TypedDice(self.asked.typed)
        if session is None or not session["is_open"] or policy == "physical":
            return NoDice()
        fresh = self._of_the_session(session)
        if not self.streams.fork(self.stream):
            return fresh
        return CanonsDice(self.streams.canons_dice(self.stream, session, self.ledger), fresh)

    def _of_the_session(self, session: Mapping[str, Any]) -> Any:
        sid = bytes.fromhex(session["identity"])
        kept = self._mine(session)
        names = (("table", False), ("screen", True))
        seeds = {
            screen: kept.get(name) or self.streams.revealed(self.stream, session, screen=screen)
            for name, screen in names
        }
        if not seeds[False]:
            return NoDice()
        commits = [bytes.fromhex(session[name]) for name in ("commit_table", "commit_screen")]
        m = mixed(commits, [tuple(line) for line in session["entropy"]])
        forks = {
            0,
            self.streams.fork(self.stream),
            *(self.streams.fork(parent) for parent, _ in self.streams.parents(self.stream)),
        }
        keys = {
            (screen, fork): key_of(screen, sid, bytes.fromhex(seed), m, fork)
            for screen, seed in seeds.items()
            if seed
            for fork in forks
        }
        number = self.now["seats"].get(self.seat, {"number": 0})["number"]
        return SessionDice(keys, number, self.streams.fork(self.stream), Ledger(self.entries))


def _counts(stored: Iterable[Iterable[Any]]) -> tuple[RollCount, ...]:
    return tuple(RollCount(*one) for one in stored)
