"""A campaign of one ruleset in memory, without a store: its moves, with dice and how they would be typed, and corrections."""

import random
import re
from collections.abc import Mapping
from typing import Any

import attrs

from rollbook.domain.actions import SHARED
from rollbook.domain.actions.campaign import StartCampaign
from rollbook.domain.base.errors import RollbookError, RulesetBroken
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import Change, Correction, Proposal
from rollbook.domain.corrections.preview import preview
from rollbook.domain.dice.supply import DiceSupply, Hand, NoDice, PhysicalDice, Request, physical_hand
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, recorded, without_words
from rollbook.domain.events import Event, Scalar
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, build, intent_of, parameters
from rollbook.domain.rules.crossing import ABILITIES, MEANINGS, Crossing, Passport
from rollbook.domain.rules.playing import Played
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.sheet import MAX_HP, plain_sheet
from rollbook.domain.rules.spelling import typed
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import SHEET_DEPENDENCIES, CampaignState, Character
from rollbook.kit import crossing

GM, PLAYER = "Ana", "mira"
_PLAIN = re.compile(r"[\w.,:+%=-]+")

WITHOUT_END = 5_000
"""Most dice that an action at a table takes."""

EXTREME = 0.3
"""Chance that a die shows its lowest or its highest face on purpose: rules look at those most."""


class SeededDice:
    """Dice that fall by a seed, with more ones and more highest faces than honest dice show; ``faces`` are those so far."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the play is random, and nothing is secret
        self.faces: list[int] = []

    def hand(self, request: Request) -> Hand:
        """The dice for one roll."""
        return physical_hand(request, self.draw)

    def finish(self) -> None:
        """There are always more."""

    def draw(self, sides: int) -> int:
        """The next die. Raises AssertionError if an action never stops rolling."""
        if len(self.faces) == WITHOUT_END:
            raise AssertionError(f"One action has rolled {WITHOUT_END} dice, and still wants more.")
        is_extreme = self._random.random() < EXTREME
        self.faces.append(self._random.choice((1, sides)) if is_extreme else self._random.randint(1, sides))
        return self.faces[-1]


@attrs.frozen(kw_only=True)
class Move(Record):
    """An intent with the dice for it (those of a ``seed``, or ``typed`` ones) and its seat."""

    intent: Intent
    seat: str = GM
    seed: int = 0
    typed: tuple[int, ...] | None = None
    secret: bool = False

    def dice(self) -> DiceSupply:
        """The dice of this move, from the first one on."""
        return SeededDice(self.seed) if self.typed is None else PhysicalDice(self.typed)


@attrs.frozen(kw_only=True)
class MoveResult(Record):
    """Result of a move: it was ``played`` on the campaign ``before``, or refused with a sentence."""

    move: Move
    before: CampaignState
    played: Played | None = None
    refusal: str = ""

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that it left behind; none if it was refused."""
        return self.played.events if self.played else ()


def line(verb: type[Action], move: Move, dice: DiceSupply) -> str:
    """A move as a person would type it, with the dice that fell."""
    said = [verb.verb]
    for parameter in parameters(verb):
        given = move.intent.params.get(parameter.name, parameter.default)
        if parameter.hidden or given is None or (not parameter.required and given == parameter.default):
            continue
        option = "" if parameter.required else f"--{parameter.name.replace('_', '-')}"
        said.append(option if given is True and option else f"{option} {_quoted(typed(given))}".strip())
    said += [f"--seat {_quoted(move.seat)}"] if move.seat != GM else []
    said += ["--secret"] if move.secret else []
    faces = dice.faces if isinstance(dice, SeededDice) else move.typed or ()
    said += ["!", *map(str, faces)] if faces else []
    for again in move.intent.second_thoughts:
        said.append(
            f"({again.kind} by {again.character or 'the GM'}, roll {again.roll}, keep {again.keep or 'the best'})"
        )
    return " ".join(said)


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


LUCK = "luck"
MOST_LUCK = 3
AS_MEANT = {meaning: meaning for meaning in MEANINGS}


def _describe(who: Character, campaign: CampaignState) -> Passport:  # noqa: ARG001 - what every game takes
    return Passport(
        max_hp=max(who.stats.get(MAX_HP, 1), 1),
        dies_at=-10,
        modifiers={ability: who.stats.get(ability, 0) for ability in ABILITIES},
        luck=max(who.pools.get(LUCK, 0), 0),
        conditions=crossing.shared_conditions(who, AS_MEANT),
    )


def _arrive(table: Table, name: CharacterId, passport: Passport) -> None:
    crossing.bring_stat(table, name, MAX_HP, max(passport.max_hp, 1))


NEIGHBOUR = Ruleset(
    key="next-door",
    title="The game next door",
    version="1",
    summary="Hit points, modifiers and a little luck.",
    actions=(),
    sheet=plain_sheet,
    crossing=Crossing(
        describe=_describe,
        arrive=_arrive,
        set_modifier=crossing.bring_stat,
        luck=LUCK,
        luck_cap=lambda *_: MOST_LUCK,
        conditions=AS_MEANT,
    ),
)


class NeitherEventsNorRefusal(AssertionError):
    """An action ended in an error other than a refusal."""


class Playthrough:
    """A campaign of one ruleset, with some house rules, from its first entry."""

    def __init__(self, ruleset: Ruleset, house: Mapping[str, Scalar] | None = None) -> None:
        self.ruleset = ruleset
        self.rulebook = Rulebook({game.key: game for game in (NEIGHBOUR, ruleset)})
        self._final = {verb.verb for verb in (*SHARED, *NEIGHBOUR.actions, *ruleset.actions) if verb.final}
        self.history = History()
        self._lines: list[str] = []
        self._seen: tuple[object, Mapping[str, Character]] = ((), {})
        self._refused = ""
        self.last = ""
        self._start(house or {})

    def _start(self, rules: Mapping[str, Scalar]) -> None:
        game, identity = self.ruleset, "00" * 16
        start = StartCampaign(
            name="A playthrough", identity=identity, ruleset=game.key, version=game.version, settings=rules
        )
        intent = intent_of(start)
        played = self.rulebook.play(self.state, intent, NoDice(), ruleset=game)
        self._lines.append(f"#1    campaign {game.key} {typed(rules)}".rstrip())
        self._add(self._entry(Move(intent=intent, seat=""), intent, played))

    @property
    def state(self) -> CampaignState:
        """The campaign now, corrections included."""
        return self.history.state

    def newly_seen(self) -> list[Character]:
        """The characters whose sheets may differ from those at the last call."""
        state = self.state
        everywhere = tuple(state.part(part) for part in SHEET_DEPENDENCIES)
        people = state.characters.values()
        changed = [who for who in people if everywhere != self._seen[0] or self._seen[1].get(who.id) is not who]
        self._seen = (everywhere, dict(state.characters))
        return changed

    def try_out(self, move: Move, on: CampaignState | None = None) -> MoveResult:
        """Try a move, now or ``on`` another campaign, unrecorded. Raises NeitherEventsNorRefusal for other errors."""
        before, dice = self.state if on is None else on, move.dice()
        try:
            outcome = MoveResult(move=move, before=before, played=self.play(before, move, dice))
        except Exception as error:
            if isinstance(error, RulesetBroken) or not isinstance(error, RollbookError):
                said = line(self._verb(move.intent), move, dice)
                self._refused = f"      {said}"
                raise NeitherEventsNorRefusal(f"{said}\nends in {type(error).__name__}: {error}") from error
            outcome = MoveResult(move=move, before=before, refusal=str(error) or "nothing is said")
        self.last = line(self._verb(move.intent), move, dice)
        return outcome

    def take(self, move: Move) -> MoveResult:
        """Take a move, and record it unless it was refused."""
        outcome = self.try_out(move)
        self._refused = "" if outcome.played else f"      {self.last}"
        if outcome.played is not None:
            self._lines.append(f"#{self.history.actions + 1:<4} {self.last}")
            whole = attrs.evolve(intent_of(self._action(move.intent)), second_thoughts=move.intent.second_thoughts)
            self._add(self._entry(move, whole, outcome.played))
        return outcome

    def play(self, campaign: CampaignState, move: Move, dice: DiceSupply) -> Played:
        """Play a move on any campaign, with any dice. Raises what the action raises."""
        return self.rulebook.play(campaign, move.intent, dice, seat=move.seat, secret=move.secret)

    def preview(self, changes: Mapping[int, Change], seed: int = 0, **how: Any) -> Proposal:
        """Preview a correction; dice that were never rolled fall by the seed. Raises Refused, NotFound."""
        asked = Correction(changes=changes, seat=GM, reason="so", dice=SeededDice(seed), **how)
        return preview(self.history, asked, self.rulebook)

    def apply(self, made: Proposal) -> None:
        """Append what a preview shows."""
        for proposal in made.entries:
            self._refused = ""
            self._lines.append(f"      {_corrected(proposal)}")
            self._add(proposal)

    def correctable(self) -> tuple[int, ...]:
        """The actions that count, were decided by the rules and can be undone."""
        return tuple(action for action, entry in self.history.outcomes() if entry and self._is_open(action, entry))

    def story(self) -> str:
        """All recorded moves, and the one tried last, as they would be typed."""
        return "\n".join(filter(None, (*self._lines, self._refused)))

    def _is_open(self, action: int, entry: RecordedEntry) -> bool:
        if not entry.is_outcome or entry.provenance != "played":
            return False
        intent = entry.full_intent
        return intent.verb not in self._final or not self.rulebook.is_final(self.history.state_before(action), intent)

    def _verb(self, intent: Intent) -> type[Action]:
        return self.rulebook.verb(self.state, intent.verb)

    def _action(self, intent: Intent) -> Action:
        return build(self._verb(intent), intent.params)

    def _entry(self, move: Move, intent: Intent, played: Played) -> Entry:
        return Entry(
            EntryKind.TAKEN,
            action=self.history.actions + 1,
            events=played.events,
            seat=move.seat,
            intent=without_words(intent, played.events),
            ruleset=self.state.ruleset or self.ruleset.key,
            version=self.rulebook.version(self.state) or self.ruleset.version,
            reads=played.reads,
            visibility=self._action(intent).visibility or ("gm" if move.secret else ""),
        )

    def _add(self, entry: Entry) -> None:
        self.history.add(recorded(entry, self.history.head + 1))


_CORRECTED = {EntryKind.UNDONE: "undone", EntryKind.REDONE: "redone", EntryKind.REVISED: "comes out differently"}


def _corrected(entry: Entry) -> str:
    said = f"(#{entry.action} {_CORRECTED[entry.kind]})"
    return f"{said} {dict(entry.intent.params)}" if entry.is_outcome and not entry.causation else said
