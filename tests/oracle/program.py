"""What happens in a random campaign: one number says all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import attrs

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.domain.corrections.changes import Change, Orphans, Undo
from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import parameters
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.playthrough import GM, PLAYER, Move
from rollbook.testing.conformance.random_play import RandomPlayer
from rollbook.testing.conformance.random_values import random_settings
from tests.oracle.campaign import UNIQUE, Played
from tests.oracle.comparing import Disagreement
from tests.oracle.ledger import pieces
from tests.oracle.playing import Asked
from tests.oracle.stored import NOTES, TAKEN, Entry
from tests.oracle.taking_over import take_over
from tests.support.games import INSTALLED_RULESETS, GameTable, random_change, random_insertion, random_play_of

LONGEST_OPENING = 9
MOST_STREAMS = 4
MUCH_RESTS_ON = ("give", "join", "bring-in", "begin-encounter")
STEPS = 20
"""So much happens after the opening."""

CHECKED_WHOLE = 10
"""Every so many steps the files, the audits and the past are compared too."""

AS_USUAL: Mapping[str, int] = MappingProxyType({})


def play(seed: int, often: Mapping[str, int] = AS_USUAL) -> Played:
    """The campaign of a number, compared all along. Raises Disagreement with the number.

    ``often`` says what happens so many times as often as in other campaigns.
    """
    with TemporaryDirectory(prefix="rollbook-oracle-") as folder:
        program = Program(seed, Path(folder), often)
        try:
            program.run()
        except Exception as found:
            where = f"campaign {seed} of {program.key}, after {' | '.join(program.told[-4:])}"
            about = found.about if isinstance(found, Disagreement) else type(found).__name__
            raise Disagreement(about, f"{where}: {found}") from found
        finally:
            program.played.book.close()
    return program.played


class _Now:
    """What random play asks of a playthrough: the game, and the campaign as it is."""

    def __init__(self, program: Program) -> None:
        self.program, self.ruleset = program, program.game

    @property
    def state(self) -> CampaignState:
        return self.program.played.campaign(self.program.stream).state


class Program:
    """A random campaign while it is played. ``stream`` is the one that is played on now."""

    def __init__(self, seed: int, folder: Path, often: Mapping[str, int] = AS_USUAL) -> None:
        self.key = INSTALLED_RULESETS[seed % len(INSTALLED_RULESETS)]
        self.game, self.opening = game_of(self.key)
        self.chance = Random(f"oracle {seed}")
        self.weights = [weight * often.get(what, 1) for what, (weight, _) in WHAT.items()]
        house = random_settings(self.chance, self.game) if self.chance.random() < 0.5 else {}
        self.played = Played(self.game, folder, f"campaign {seed}", house)
        self.stream = self.played.canon
        self.player = RandomPlayer(f"oracle {seed}", _Now(self), self.opening)  # type: ignore[arg-type]
        self.player.chance = self.chance
        self.words = 0
        self.told: list[str] = []

    def run(self) -> None:
        """The opening, then one thing after the other."""
        for name, role in ((GM, "gm"), (PLAYER, "player"), ("tom", "player"), ("eva", "spectator")):
            self.do("take-seat", {"seat": name, "role": role}, seat="" if role == "gm" else None)
        self.do("open-session", {"title": "first"})
        if self.chance.random() < 0.6:
            self.do("entropy", {"text": self.chance.choice(("Mira: 6 2 5", "Żółw 🎲"))}, seat=PLAYER)
        for move in self.opening[: self.chance.randint(3, min(LONGEST_OPENING, len(self.opening)))]:
            self.move(move)
        for step in range(1, STEPS + 1):
            what = self.chance.choices(tuple(WHAT), self.weights)[0]
            self.told.append(what)
            WHAT[what][1](self)
            self.played.check(self.stream, self.chance if step % CHECKED_WHOLE == 0 else None)
        self.end()

    def end(self) -> None:
        """Every stream is looked at once more; the export is taken in again; the store is opened again."""
        played = self.played
        for stream in played.streams.views:
            played.check(stream, self.chance if stream in (played.canon, self.stream) else None)
        path = played.folder / "again.jsonl"
        export_campaign(played.campaign(played.canon).session.log, path)
        played.import_again(path, "again")
        played.reopen(without_read_model=self.often(0.5))
        for stream in played.streams.views:
            played.check(stream)

    def do(self, verb: str, params: Mapping[str, Any], **how: Any) -> bool:
        """Somebody acts on the stream of the moment."""
        return self.played.do(self.stream, Asked(verb=verb, params=params, **how)) is not None

    def move(self, move: Move) -> None:
        """A move of random play. What the engine alone fills in is left to it."""
        verb = self.player._verbs.get(move.intent.verb)
        if verb is None:
            return
        hidden = {parameter.name for parameter in parameters(verb) if parameter.hidden}
        params = {name: value for name, value in move.intent.params.items() if name not in hidden}
        typed = move.typed if self.stream else None
        if self.do(verb.verb, params, seat=move.seat or None, typed=typed, secret=move.secret):
            self.player._sensible.append(Intent(verb=verb.verb, params=params))
            self.player._worked.add(verb.verb)

    # What may happen.

    def act(self) -> None:
        """A move of the game, or of every game."""
        self.move(self.player.move())

    def note(self) -> None:
        """A note for the table, for the GM, or for one seat, with a word that is in no other."""
        self.words += 1
        word = f"{UNIQUE}{self.words}word"
        to = self.chance.choice(("table", "gm", PLAYER, "tom"))
        who = self.chance.choice((None, PLAYER, "tom"))
        text = f"{word} was here{self._hidden_name(who, ' with ')}"
        verb, params = self._words(text, to)
        if self.do(verb, params, seat=None if verb == "handout" else who) and to != "table":
            self.played.secrets[word] = "" if to == "gm" else to

    def _words(self, text: str, to: str) -> tuple[str, dict[str, Any]]:
        """Words in one of the ways in which they can be given to these readers: a note, talk, a whisper or a handout."""
        picture = {"digest": f"{self.words:064x}", "media": "image/png", "width": 3, "height": self.words, "alt": text}
        ways: tuple[tuple[str, dict[str, Any]], ...] = (
            ("note", {"text": text, "to": to}),
            ("say", {"text": text}) if to == "table" else ("whisper", {"text": text, "to": to}),
            ("handout", {"title": f"{text}.", "text": text, "to": to}),
            ("handout", {"title": text, "to": to, **picture}),
        )
        return self.chance.choice(ways)

    def portrait(self) -> None:
        """A character gets a portrait, or the board a map; or has none any more."""
        self.words += 1
        shown = {"digest": f"{self.words:064x}", "media": "image/jpeg", "width": 1, "height": 2}
        if self.often(0.4):
            place = {"across": f"{self.words % 30 + 1}.5", "at": f"-1,{self.words % 9}"}
            self.do("lay-map", {**shown, **place} if self.often(0.8) else {}, seat=None)
            return
        who = self.chance.choice([*self.played.campaign(self.stream).state.characters] or [""])
        self.do("portrait", {"who": who, **(shown if self.often(0.8) else {})}, seat=self.chance.choice((None, PLAYER)))

    def roll(self) -> None:
        """Dice in the open or behind the screen."""
        dice = self.chance.choice(("1d20", "3d6", "2d20kh1", "4d6!", "1d100+3"))
        typed = (self.chance.randint(1, 20),) if dice == "1d20" and self.chance.random() < 0.2 else None
        purpose = self.chance.choice(("luck", "search"))
        seat = self.chance.choice((None, PLAYER, "tom"))
        self.do(
            "roll",
            {"expression": dice, "purpose": self._hidden_name(seat) or purpose},
            seat=seat,
            typed=typed,
            secret=self.often(0.3),
        )

    def _hidden_name(self, seat: str | None, before: str = "") -> str:
        """What somebody is called whom the table does not know: players say it, the GM (None) now and then. "" for nobody."""
        people = self.played.campaign(self.stream).state.characters.values()
        hidden = [who.name for who in people if who.hidden] if seat or self.words % 2 else []
        return f"{before}{hidden[-1]}" if hidden else ""

    def hide(self) -> None:
        """Somebody joins unseen, goes out of sight, or comes into the open."""
        arrivals = [move.intent for move in self.opening if move.intent.verb == "join"]
        people = self._people()
        how = self.chance.choice(("join", "conceal", "reveal"))
        if how == "join" and arrivals:
            self.words += 1
            intent = self.chance.choice(arrivals)
            params = {**intent.params, "name": f"Stranger {self.words}", "id": "", "seat": ""}
            self.move(
                Move(
                    intent=Intent(
                        verb="join", params={key: params[key] for key in params if key in {*intent.params, "name"}}
                    ),
                    secret=True,
                )
            )
        elif people:
            self.do("conceal" if how == "conceal" else "reveal", {"who": self.chance.choice(people)})

    def things(self) -> None:
        """Somebody gets something, and may lose it again."""
        people = self._people()
        if people:
            who = self.chance.choice(people)
            if self.do("give", {"who": who, "item": "rope"}) and self.often(0.7):
                self.do("drop", {"who": who, "item": "rope"})

    def show(self) -> None:
        """What was hidden from the table is revealed."""
        hidden = [entry.number for entry in self.played.entries(self.stream) if entry.visibility or entry.hidden]
        if hidden:
            self.do("reveal", {"entries": tuple(sorted(self.chance.sample(hidden, min(len(hidden), 2))))})

    def correct(self) -> None:
        """One correction of one to three actions, orphans undone or kept."""
        campaign = self.played.campaign(self.stream)
        table = _Correctable(self, campaign.history)
        actions = range(2, table.history.actions + 1)
        wanted = sorted(self.chance.sample(actions, min(len(actions), self.chance.choice((1, 1, 1, 2, 3)))))
        changes: dict[int, Change] = {action: random_change(table, self.player, action) for action in wanted}  # type: ignore[arg-type]
        if self.often(0.4):
            entries = [entry for entry in self.played.entries(self.stream) if entry.kind == TAKEN]
            causes = [entry.action for entry in entries if entry.intent["verb"] in MUCH_RESTS_ON]
            changes = {action: Undo() for action in causes and [self.chance.choice(causes)]} or changes
        orphans = self.chance.choice(tuple(Orphans))
        self.played.correct(self.stream, changes, stand=self.often(0.1), orphans=orphans)

    def insert(self) -> None:
        """Something that was forgotten is put into the past."""
        campaign = self.played.campaign(self.stream)
        table = _Correctable(self, campaign.history)
        if table.correctable():
            action, change = random_insertion(table, self.player)  # type: ignore[arg-type]
            change = attrs.evolve(change, seat=campaign.seat(None), secret=self.often(0.1))
            orphans = self.chance.choice(tuple(Orphans))
            if self.played.correct(self.stream, {action: change}, stand=self.often(0.05), orphans=orphans):
                self.played.seen["inserted"] += 1

    def ask_again(self) -> None:
        """A roll is undone, and the same is asked for again, perhaps after something else."""
        rolled = self._rolled()
        if rolled:
            entry = self.chance.choice(rolled)
            self.played.correct(self.stream, {entry.action: Undo()}, stand=False, orphans=Orphans.UNDO)
            if self.often(0.3):
                self.roll()
            self._repeat(entry)

    def _rolled(self) -> list[Entry]:
        """The last actions that drew dice."""
        entries = [entry for entry in self.played.entries(self.stream)[-8:] if entry.kind == TAKEN]
        return [entry for entry in entries if list(pieces(entry.events)) and entry.intent["verb"] != "draw-for"]

    def _repeat(self, entry: Entry) -> None:
        """The same is asked for once more."""
        intent = self.played.player.decoded(entry).intent
        hidden = {parameter.name for parameter in parameters(self.player._verbs[intent.verb]) if parameter.hidden}
        params = {name: value for name, value in intent.params.items() if name not in hidden}
        self.do(intent.verb, params, seat=entry.public["seat"] or None, secret=entry.visibility == "gm")

    def otherwise(self) -> None:
        """A timeline leaves just before a roll; the same is asked for there, and something else."""
        rolled = self._rolled()
        if not rolled or len(self.played.streams.views) > MOST_STREAMS:
            return
        entry = self.chance.choice(rolled)
        made = self.played.fork(self.stream, entry.number - 1)
        if made is not None:
            self.stream = made
            self._repeat(entry)
            self.roll()

    def session(self) -> None:
        """A session is closed and another opened, with a line mixed in or not; secret dice are shown."""
        self.do("close-session", {})
        if self.often(0.5):
            self.do("reveal-screen", {"session": self.chance.randint(1, 3)})
        if self.often(0.9):
            self.do("open-session", {"title": "another"})
        if self.often(0.5):
            self.do("entropy", {"text": "a line"}, seat="tom")

    def agree(self) -> None:
        """How the table deals with dice; fresh ones are granted."""
        if self.often(0.5):
            self.do(
                "agree",
                {
                    "matter": "dice",
                    "value": self.chance.choice(("stream", "physical", "either", "either")),
                    "whose": self.chance.choice(("", PLAYER)),
                },
            )
        else:
            action = self.chance.randint(1, len(self.played.entries(self.stream)))
            self.do("grant-dice", {"action": action, "why": "so", "screen": self.often(0.3)})

    def scene(self) -> None:
        """A scene, a ruling, a moment of the X-card."""
        verb, params = self.chance.choice(
            (
                ("scene", {"title": "the road"}),
                ("meanwhile", {"title": "the roof"}),
                ("cut-to", {"scene": self.chance.choice(("the road", "the roof", "0"))}),
                ("ruling", {"reason": "so it is"}),
                ("x-card", {}),
                ("after-x-card", {"how": "resume"}),
            )
        )
        self.do(verb, params, seat=self.chance.choice((None, PLAYER)))

    def redact(self) -> None:
        """The words of a note are removed."""
        entries = self.played.entries(self.stream)
        notes = [entry.action for entry in entries if entry.kind == TAKEN and entry.intent["verb"] in NOTES]
        if notes:
            self.played.redact(self.stream, self.chance.choice(notes), "a private matter")

    def leave(self) -> None:
        """A timeline is forked, or another stream played on."""
        streams = list(self.played.streams.views)
        if len(streams) < MOST_STREAMS and self.often(0.7):
            last = len(self.played.entries(self.stream))
            made = self.played.fork(self.stream, self.chance.choice((last, self.chance.randint(2, last))))
            self.stream = made or self.stream
        else:
            self.stream = self.chance.choice(streams)

    def take_over(self) -> None:
        """Canon is asked to choose as a timeline did."""
        timelines = [stream for stream in self.played.streams.views if self.played.streams.parents(stream)]
        if timelines:
            take_over(self.played, self.chance.choice(timelines), keep_later=self.often(0.3))

    def rerun(self) -> None:
        """Everything again, by the same rules."""
        if len(self.played.streams.views) <= MOST_STREAMS:
            self.played.rerun()

    def reopen(self) -> None:
        """The program ends and begins again."""
        self.played.reopen(without_read_model=self.often(0.5))

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def _people(self) -> list[str]:
        return list(self.played.campaign(self.stream).state.characters)


class _Correctable:
    """What a random change is chosen from."""

    def __init__(self, program: Program, history: Any) -> None:
        self.history = history
        self.rulebook = program.played.book.rulebook

    correctable, whole_then, _is_open = GameTable.correctable, GameTable.whole_then, GameTable._is_open


WHAT: Mapping[str, tuple[int, Callable[[Program], None]]] = {
    "act": (30, Program.act),
    "note": (10, Program.note),
    "portrait": (2, Program.portrait),
    "roll": (8, Program.roll),
    "hide": (7, Program.hide),
    "things": (5, Program.things),
    "show": (3, Program.show),
    "correct": (22, Program.correct),
    "insert": (8, Program.insert),
    "ask again": (5, Program.ask_again),
    "otherwise": (4, Program.otherwise),
    "session": (4, Program.session),
    "agree": (4, Program.agree),
    "scene": (4, Program.scene),
    "redact": (3, Program.redact),
    "leave": (6, Program.leave),
    "take over": (3, Program.take_over),
    "rerun": (1, Program.rerun),
    "reopen": (2, Program.reopen),
}
"""What happens, and how often."""


@cache
def game_of(key: str) -> tuple[Any, list[Move]]:
    """A game, and the moves with which its campaigns begin."""
    suite = random_play_of(key)
    return suite.game, [outcome.move for outcome in suite.opening]
