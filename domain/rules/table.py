"""The table at which an action is played out: dice are rolled, rules look things up, and events are recorded.

``resolve`` reads nothing but its table. The table notes which parts of the campaign were read, so that a correction
elsewhere knows that this action comes out the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from typing import Any, NoReturn

from rollbook.domain.base.errors import Refused, RulesetBroken, not_found
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.notation import fill
from rollbook.domain.dice.supply import DiceSupply, Request
from rollbook.domain.entries import Intent, SecondThought
from rollbook.domain.events import CharacterKind, DiceRolled, Event, Role, vocabulary
from rollbook.domain.rules.outcome import Outcome
from rollbook.domain.rules.settings import settings_of
from rollbook.domain.rules.table_protocols import PlayedBy, Taken
from rollbook.domain.state import tracked_state
from rollbook.domain.state.campaign_state import MAPPINGS, CampaignState, Character, Seat, Session, Stretch
from rollbook.domain.state.encounters import Encounter, WaitingScene
from rollbook.domain.state.fold import Draft
from rollbook.domain.state.fold.related_parts import CARRIED
from rollbook.domain.state.reads import WHOLE, Reads

VOCABULARY = frozenset(vocabulary())
"""The events that an action may leave behind: the whole vocabulary."""


class Table:
    """The table during one action."""

    def __init__(
        self,
        campaign: CampaignState,
        *,
        action: Taken,
        intent: Intent,
        dice: DiceSupply,
        ruleset: PlayedBy | None = None,
        seat: str = "",
        secret: bool = False,
        ruled: Container[str] = (),
        rulesets: Mapping[str, PlayedBy] | None = None,
    ) -> None:
        """``ruled`` are the parameters that the GM has said, although a player took the action."""
        self._draft = Draft(campaign)
        self._before = campaign.characters
        self._dice = dice
        self._intent = intent
        self._action = action
        self._secret = secret
        self.ruled = ruled
        self._events: list[Event] = []
        self._reads = Reads()
        self._people: dict[str, tuple[Character, Character]] = {}
        self._fight: tuple[Encounter, Encounter] | None = None
        self._rolls: dict[tuple[str, str], int] = defaultdict(int)
        self._targets: str | None = None
        self._house: tuple[Mapping[str, object], object] | None = None
        self.rulesets = {} if rulesets is None else rulesets
        self.ruleset = ruleset
        self.seat = seat
        self.resting: tuple[str, ...] = ()
        self._parts: dict[str, object] = {}
        self._watched: dict[str, object] = {}

    def _seen(self, part: str) -> CampaignState:
        """The campaign as it is now; notes that the action has read this part of it."""
        self._reads.whole.add(part)
        return self._draft.campaign

    def part(self, name: str) -> Any:
        """One part of the campaign as it is now, by the name of its field; reads of a mapping are noted key by key."""
        if name == "encounter":
            return self.encounter
        part = getattr(self._draft.campaign, name)
        if name in MAPPINGS:
            if self._parts.get(name) is not part:
                keys, self._parts[name] = self._reads.parts[name].keys[WHOLE], part
                self._watched[name] = tracked_state.WatchedMapping(part, keys)
            return self._watched[name]
        self._reads.note(name)
        return part

    def character(self, name: str) -> Character:
        """A character by its id, as it is now. Raises NotFound with the nearest names.

        As long as nothing changes the character, it is one and the same.
        """
        who = self._draft.campaign.characters.get(name)
        last = self._people.get(name)
        if last is not None and last[0] is who:
            return last[1]
        if who is None:
            raise not_found("character", name, self.names())
        seen = tracked_state.watched_character(who, self._reads.parts["@" + name], self._before.get(name))
        self._people[name] = who, seen
        return seen

    def knows(self, name: str) -> bool:
        """True if there is a character of that id."""
        is_there = name in self._draft.campaign.characters
        self._reads.note("@" + name, tracked_state.WatchedCharacter.known_by if is_there else WHOLE)
        return is_there

    def names(self) -> tuple[CharacterId, ...]:
        """The ids of all characters who ever had a sheet here, in the order of their arrival."""
        return tuple(self._seen("@*").characters)

    def everybody(self) -> tuple[Character, ...]:
        """The characters who ever had a sheet here, in the order of their arrival."""
        return tuple(map(self.character, self.names()))

    def characters(self) -> tuple[Character, ...]:
        """The characters in play, in the order of their arrival, but for those in a fight that waits in another scene.

        Nothing else is read of the others.
        """
        return self._group("present")

    def in_any_scene(self) -> tuple[Character, ...]:
        """The characters in play, also those in a fight that waits in another scene, in the order of their arrival."""
        here = self.characters()
        fights = [scene.encounter for scene in self.elsewhere if scene.encounter is not None]
        others = (self.character(name) for fight in fights for name in fight.order if self.knows(name))
        return tuple(self.by_arrival({who.id: who for who in (*here, *others) if who.present}.values()))

    def with_conditions(self) -> tuple[Character, ...]:
        """The characters in play who are in any condition, likewise."""
        return self._group("with_conditions")

    def _group(self, part: str) -> tuple[Character, ...]:
        self._reads.whole.add(part)
        return tuple(map(self.character, self._draft.group(part)))

    def player_characters(self, *, in_any_scene: bool = False) -> tuple[Character, ...]:
        """The player characters among ``characters``, or those in play in any scene."""
        people = self.in_any_scene() if in_any_scene else self.characters()
        return tuple(who for who in people if who.kind is CharacterKind.PLAYER_CHARACTER)

    def by_arrival(self, people: Iterable[Character]) -> list[Character]:
        """These characters in the order in which they came into the campaign, which never changes."""
        arrived = {name: place for place, name in enumerate(self._draft.campaign.characters)}
        return sorted(people, key=lambda who: arrived[who.id])

    @property
    def campaign(self) -> CampaignState:
        """The whole campaign, each part as it is when it is asked for: for deriving a sheet (``sheet``)."""
        return tracked_state.watched_campaign(self)

    @property
    def clock(self) -> int:
        """Seconds since the campaign began."""
        return self._seen("clock").clock

    @property
    def stretch(self) -> Stretch | None:
        """The activity of the party and its length; None if something has interrupted it."""
        stretch = self._seen("stretch").stretch
        return None if stretch is None or stretch.interrupted else stretch

    @property
    def encounter(self) -> Encounter | None:
        """The encounter that is being fought, if any."""
        encounter = self._draft.campaign.encounter
        if encounter is None:
            self._reads.note("encounter")
            return None
        if self._fight is None or self._fight[0] is not encounter:
            self._fight = (encounter, tracked_state.watched_encounter(encounter, self._reads.parts["encounter"]))
        return self._fight[1]

    @property
    def session(self) -> Session | None:
        """The last session that was opened."""
        return self._seen("session").session

    @property
    def scene(self) -> str:
        """The title of the scene."""
        return self._seen("scene").scene

    @property
    def scene_number(self) -> int:
        """The number of the scene; 0 before the first."""
        return self._seen("scene").scene_number

    @property
    def elsewhere(self) -> tuple[WaitingScene, ...]:
        """The scenes that wait. Who is in one of their fights is a part of who each character is."""
        return self._seen("elsewhere").elsewhere

    @property
    def is_secret(self) -> bool:
        """True if what happens is the GM's alone to see."""
        return self._secret

    @property
    def is_paused(self) -> bool:
        """True if an X-card lies on the table."""
        return self._seen("paused").paused

    @property
    def seats(self) -> Mapping[str, Seat]:
        """The seats of the campaign."""
        seats: Mapping[str, Seat] = self.part("seats")
        return seats

    @property
    def acting_seat(self) -> Seat | None:
        """The seat that acts, if it is one of the campaign's."""
        self._reads.note("seats", WHOLE, self.seat)
        return self._draft.campaign.seats.get(self.seat)

    @property
    def gm_pools(self) -> Mapping[str, int]:
        pools: Mapping[str, int] = self.part("pools")
        return pools

    @property
    def settings(self) -> Any:
        """The house rules of this campaign, as the ruleset's own settings class."""
        chosen = self._draft.campaign.settings
        if self._house is None or self._house[0] is not chosen:
            self._reads.note("settings")
            if self.ruleset is None:
                raise Refused("This campaign plays without a ruleset, so it has no house rules.")
            self._house = (chosen, settings_of(self.ruleset.settings, chosen))
        return self._house[1]

    def play_by(self, ruleset: PlayedBy) -> None:
        """Play the action by these rules from here on; the event that says so has been recorded."""
        self.ruleset = ruleset
        self._house = None

    def second_thoughts(self, kind: str = "") -> tuple[SecondThought, ...]:
        """The second thoughts that were had on this action: those of one kind, or all."""
        had = self._intent.second_thoughts
        return tuple([thought for thought in had if thought.kind == kind]) if kind else had

    def record(self, *events: Event) -> None:
        """Record events, in effect from here on. Raises RulesetBroken for events that no history could hold."""
        for event in events:
            kind = event.__class__
            if kind not in VOCABULARY:
                raise RulesetBroken(self._not_in_the_vocabulary(event), key=self.ruleset.key if self.ruleset else "")
            if kind in CARRIED:
                for part, field in CARRIED[kind](event, self._draft.campaign):
                    self._reads.note(part, field)
            self._draft.take(event)
            self._events.append(event)

    def _not_in_the_vocabulary(self, event: object) -> str:
        action, what = type(self._action), event.__class__
        package = self._draft.campaign.package
        whose = f"The ruleset {self.ruleset.key!r}" if self.ruleset is not None else "The engine"
        whose += f" ({package})" if package else ""
        return (
            f"{whose} breaks the contract: the verb {action.verb!r} ({action.__module__}:{action.__qualname__}) records a "
            f"{what.__module__}.{what.__qualname__}, which is not an event that a history can hold. The events of a game are the "
            f"classes in rollbook.plugin.events, as they are."
        )

    def refuse(self, sentence: str, parameter: str = "", *, instead: str = "") -> NoReturn:
        """Raise Refused: the rules say no, and nothing of the action is recorded.

        ``parameter`` is the parameter whose value is at fault, ``instead`` another one that would put it right as well; one that
        the verb does not have counts as none.
        """
        known = parameter if parameter and self._action.has_parameter(parameter) else ""
        raise Refused(sentence, parameter=known, instead=instead)

    def parameter_of(self, value: object) -> str:
        """The parameter of the action that has this value, or else the first that holds it among others; "" for none.

        A rule that is handed a value can so name the parameter in a refusal, in every verb.
        """
        return self._action.parameter_with(value)

    def roll(
        self, expression: str, *, roller: str, purpose: str, natural: bool = False, secret: bool = False, **values: int
    ) -> DiceRolled:
        """Roll dice and record them.

        ``expression`` is dice notation; ``@name`` in it stands for the integer ``values[name]``. ``natural`` says that
        the rule looks at the face of the die kept in the first term. What hidden characters roll is secret.
        Raises DiceError for bad notation and Refused if there are no dice to be had.
        """
        ordinal = self._rolls[roller, purpose]
        self._rolls[roller, purpose] = ordinal + 1
        hidden = self._rolls_unseen(roller, secret=secret)
        occasion = self._occasion(secret=hidden)
        request = Request(
            roller=roller,
            purpose=purpose,
            ordinal=ordinal,
            occasion=occasion,
            repeat=self._draft.campaign.next_repeat(roller, purpose, occasion),
            secret=hidden,
        )
        hand = self._dice.hand(request)
        try:
            rolled = evaluate(fill(expression, **values) if values else expression, hand.draw)
        except DiceError as fault:
            if fault.at is not None:  # what was written is at fault, and not the dice that fell
                fault.about(self.parameter_of(expression))
            raise
        event = DiceRolled(
            roller=roller,
            purpose=purpose,
            expression=rolled.expression,
            typed="" if rolled.typed == rolled.expression else rolled.typed,
            dice=rolled.dice,
            flat=rolled.flat,
            total=rolled.total,
            natural=rolled.natural if natural else 0,
            sources=hand.sources(),
            occasion=hand.request.occasion,
            repeat=hand.request.repeat,
            secret=hidden,
        )
        self.record(event)
        return event

    def _rolls_unseen(self, roller: str, *, secret: bool) -> bool:
        """True if nobody but the GM sees a roll: it is meant so, the action is secret, or a hidden character rolls."""
        unseen = secret or self._secret
        return unseen or (roller in self._draft.campaign.characters and self.character(roller).hidden)

    def _occasion(self, *, secret: bool) -> str:
        """The occasion of a roll: session, scene, turn, verb and targets. Titles and free text stay out of it.

        Secret rolls are counted by themselves, and a fight of hidden characters alone is not a stretch of play that the
        table knows: so the public part of an open roll reveals nothing of either.
        """
        campaign = self._draft.campaign
        session = campaign.session.number if campaign.session else 0
        encounter = campaign.encounter
        is_shown = encounter is not None and (secret or not campaign.fights_unseen())
        turn = f"r{encounter.round}t{encounter.turn}" if encounter is not None and is_shown else ""
        screen = "screen " if secret else ""
        if self._targets is None:
            self._targets = ",".join(self._action.characters_named())
        return f"{screen}s{session}.{campaign.scene_number}{turn}|{self._intent.verb}|{self._targets}"

    def gm_says(self, parameter: str) -> bool:
        """True if the GM gave the value of a parameter: the GM's seat acts, or no seat, or the GM amended it."""
        seat = self.acting_seat
        return seat is None or seat.role is Role.GM or parameter in self.ruled

    def finish(self) -> Outcome:
        """The outcome, when nothing more happens. Raises Refused if typed dice are left over."""
        self._dice.finish()
        return Outcome(
            events=tuple(self._events),
            looked=self._reads,
            campaign=self._draft.publish(),
            touched=frozenset(self._draft.touched),
        )
