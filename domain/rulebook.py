"""The rulesets that are at hand, and the one way in which an intent is played out by the ruleset of its moment."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TypeVar

import attrs

from rollbook.domain.actions import SHARED_VERBS
from rollbook.domain.base.errors import RollbookError, RulesetBroken, RulesetMissing, not_found, note_failure
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.dice.supply import DiceSupply
from rollbook.domain.entries import Entry, Intent
from rollbook.domain.rules.action import Action, build, build_stored
from rollbook.domain.rules.availability import BareTable, Refusals, refusals
from rollbook.domain.rules.board import (
    Board,
    PlannedMove,
    Square,
    SquareMap,
    Squares,
    checked_board,
    checked_map,
    checked_plan,
    plain_board,
)
from rollbook.domain.rules.last_sheet import LastSheet, Looks
from rollbook.domain.rules.playing import Played, play_out
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.sentences import sentence_of, unknown_sentence
from rollbook.domain.rules.sheet import OVERVIEW, Sheet, checked_sheet, plain_sheet
from rollbook.domain.rules.sides import Side, plain_side
from rollbook.domain.rules.table import Table
from rollbook.domain.rules.vocabulary import Speller
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.kept_answers import KeptAnswers
from rollbook.domain.state.lookup import shown_name, shown_names
from rollbook.domain.state.reads import Reads
from rollbook.domain.state.sealing import NOTHING
from rollbook.domain.state.tracked_state import watched_campaign

T = TypeVar("T")

Tells = Callable[[Sheet, Character, CampaignState], Sheet]
"""A function that reduces a sheet to what a reader may be told."""

MOST_REFUSALS = 16
"""Most characters and seats of which it is kept what can be done with them now."""


@attrs.frozen
class SaidSheet(Record):
    """A sheet, the parts of the campaign that were looked at for it, and the stamp of the rules that said it.

    The stamp is "" if it is not known, or if the rules failed.
    """

    sheet: Sheet
    looked_at: AbstractSet[str]
    stamp: str


@attrs.define(eq=False, slots=False)
class Rulebook:
    """Rulesets by key, and the names of the distributions that brought them.

    The mappings may load a ruleset when it is first asked for, so they are kept as they are and never gone through.
    """

    rulesets: Mapping[str, Ruleset]
    packages: Mapping[str, str] = NOTHING
    _faults: Mapping[str, RulesetBroken] = NOTHING
    _fingerprints: Mapping[str, str] = NOTHING
    _stamps: Mapping[str, str] = NOTHING
    _tells: Tells | None = None
    _failed: dict[str, None] = attrs.field(factory=dict)
    _last_sheets: dict[CharacterId, tuple[LastSheet, ...]] = attrs.field(init=False, factory=dict)
    _refusals: KeptAnswers[Refusals] = attrs.field(init=False, factory=lambda: KeptAnswers(MOST_REFUSALS))
    _names: tuple[CampaignState, Mapping[CharacterId, str]] | None = attrs.field(init=False, default=None)
    _words: dict[tuple[str, str], str] = attrs.field(init=False, factory=dict)

    def apart(self) -> Rulebook:
        """The same rules for one campaign or one reader: what they keep of the last moment is not that of others."""
        return attrs.evolve(self)

    def telling(self, tells: Tells) -> Rulebook:
        """The same rules for a reader who is told less: ``tells`` reduces each sheet. They play as before."""
        return attrs.evolve(self, tells=tells, failed={})

    def ruleset_of(self, campaign: CampaignState) -> Ruleset | None:
        """The ruleset that the campaign plays by at this moment, if it is installed."""
        return self.rulesets.get(campaign.ruleset)

    def verbs(self, campaign: CampaignState) -> dict[str, type[Action]]:
        """All verbs that the campaign has at this moment; a ruleset's own come first."""
        ruleset = self.ruleset_of(campaign)
        own = {action.verb: action for action in ruleset.actions} if ruleset else {}
        return own | {name: action for name, action in SHARED_VERBS.items() if name not in own}

    def verb(self, campaign: CampaignState, name: str) -> type[Action]:
        """The class of a verb. Raises NotFound with the nearest verbs, RulesetMissing if its plug-in is gone."""
        ruleset = self.ruleset_of(campaign)
        own = ruleset.verb(name) if ruleset else None
        found = own or SHARED_VERBS.get(name)
        if found is None:
            self.require(campaign)
            raise not_found("verb", name, self.verbs(campaign))
        return found

    def known_verb(self, ruleset: str, name: str) -> type[Action] | None:
        """The class of a verb of a ruleset, or of every campaign; None if it is not installed."""
        played = self.rulesets.get(ruleset)
        return (played and played.verb(name)) or SHARED_VERBS.get(name)

    def words(self, entry: Entry) -> str:
        """The sentence that the verb of an entry gives (see ``sentences``); one of its name if it is not installed."""
        key = (entry.ruleset, entry.intent.verb)
        if key not in self._words:
            verb = self.known_verb(*key)
            self._words[key] = sentence_of(verb) if verb is not None else ""
        return self._words[key] or unknown_sentence(entry.intent)

    def condition_words(self, ruleset: str, condition: str) -> str:
        """The words for a condition after "is", by a ruleset; the condition's name where that is not installed, or fails."""
        played = self.rulesets.get(ruleset)
        if played is None:
            return condition
        ask = partial(played.condition_words, condition)
        return self._asked(played, "words of a condition", ask, instead="so its name is shown") or condition

    def require(self, campaign: CampaignState) -> None:
        """Raise RulesetMissing or RulesetBroken unless the campaign's ruleset is here, or it plays without one."""
        if campaign.ruleset and campaign.ruleset not in self.rulesets:
            if campaign.ruleset in self._faults:
                raise self._faults[campaign.ruleset]
            what = campaign.package or "the package that brings the ruleset"
            message = (
                f"This campaign plays by the ruleset {campaign.ruleset!r} (version {campaign.version}), which is not "
                f"installed. It opens read-only; install {what} to play on."
            )
            raise RulesetMissing(message, key=campaign.ruleset, version=campaign.version, package=campaign.package)

    def overview(self, campaign: CampaignState) -> tuple[str, ...]:
        """The values that a table of the whole party shows of each sheet (see ``Ruleset.overview``)."""
        ruleset = self.ruleset_of(campaign)
        return ruleset.overview if ruleset else OVERVIEW

    def board(self, campaign: CampaignState) -> Board:
        """The board of this moment by the ruleset (see ``Ruleset.board``); the plain board where there is none, or it fails."""
        ruleset = self.ruleset_of(campaign)
        found = self._asked(ruleset, "board", lambda: checked_board(ruleset.board(campaign))) if ruleset else None
        return found or plain_board(campaign)

    def side(self, campaign: CampaignState, who: Character) -> Side:
        """The side of a character by the ruleset (see ``Ruleset.side``); the plain one where there is none, or it fails."""
        ruleset = self.ruleset_of(campaign)
        found = self._asked(ruleset, "side", lambda: Side(ruleset.side(campaign, who))) if ruleset else None
        return found or plain_side(campaign, who)

    def notices(self, campaign: CampaignState) -> tuple[str, ...]:
        """The paragraphs of the notices of all games that it has been played by (see ``Ruleset.notice``), each once."""
        played = (self.rulesets.get(key) for key in (*campaign.former, campaign.ruleset))
        return tuple(dict.fromkeys(line for game in played if game for line in game.notice.splitlines()))

    def has_squares(self, campaign: CampaignState) -> bool:
        """True if the campaign is played on squares."""
        ruleset = self.ruleset_of(campaign)
        squares = ruleset.squares if ruleset else None
        if ruleset is None or squares is None:
            return False
        return bool(self._asked(ruleset, "squares", lambda: bool(squares.is_in_use(campaign))))

    def square_map(self, campaign: CampaignState) -> SquareMap | None:
        """The map of the game's squares; None where it has none, nobody uses them, or it fails to say."""
        if not self.has_squares(campaign):
            return None
        return self._of_squares(campaign, "map", lambda squares, table: checked_map(squares.laid_out(table)))

    def planned_move(
        self, campaign: CampaignState, who: CharacterId, way: tuple[Square, ...], *, seat: str = ""
    ) -> PlannedMove | None:
        """The plan of a way over the squares (see ``Squares``); None where the game has none, or fails to say.

        Raises NotFound if nobody is called ``who``.
        """
        if who not in campaign.characters:
            raise not_found("character", who, campaign.characters)
        return self._of_squares(
            campaign, "plan of a move", lambda squares, table: checked_plan(squares.planned(table, who, way)), seat=seat
        )

    def _of_squares(
        self, campaign: CampaignState, hook: str, ask: Callable[[Squares, Table], T], *, seat: str = ""
    ) -> T | None:
        """The answer of the game's squares, at a table of which nothing is kept."""
        ruleset = self.ruleset_of(campaign)
        squares = ruleset.squares if ruleset else None
        if ruleset is None or squares is None:
            return None
        table = BareTable(campaign, ruleset, seat, Reads())
        return self._asked(ruleset, hook, lambda: ask(squares, table), instead="so it is left out")

    def available(self, campaign: CampaignState, who: CharacterId, *, seat: str = "") -> dict[str, str]:
        """The verbs of the ruleset that a seat may take with a character, each with its refusal now, "" for none.

        It is known without other parameters (see ``Action.check_available``). Raises NotFound if nobody is called ``who``.
        """
        if who not in campaign.characters:
            raise not_found("character", who, campaign.characters)
        ruleset = self.ruleset_of(campaign)
        return self._refusals_of(campaign, ruleset, who, seat, ruleset.actions) if ruleset is not None else {}

    def refusal(self, campaign: CampaignState, verb: type[Action], who: CharacterId, *, seat: str = "") -> str:
        """The refusal of one of these verbs now, "" for none and for a verb that is not among them."""
        ruleset = self.ruleset_of(campaign)
        if ruleset is None or who not in campaign.characters or ruleset.verb(verb.verb) is not verb:
            return ""
        return self._refusals_of(campaign, ruleset, who, seat, (verb,)).get(verb.verb, "")

    def _refusals_of(
        self, campaign: CampaignState, ruleset: Ruleset, who: CharacterId, seat: str, verbs: Sequence[type[Action]]
    ) -> dict[str, str]:
        asked = partial(self._asked, ruleset, instead="so it is offered")
        found = self._refusals.answer(
            (who, seat, verbs),
            campaign,
            lambda reads: refusals(BareTable(campaign, ruleset, seat, reads), verbs, who, asked),
            is_sound=lambda found: None not in found.values(),
        )
        return {verb: reason or "" for verb, reason in found.items()}

    def _asked(
        self, ruleset: Ruleset, hook: str, ask: Callable[[], T], *, instead: str = "so the plain one is shown"
    ) -> T | None:
        """The answer of a ruleset that need not succeed; None, and a sentence for ``take_faults``, if it fails."""
        try:
            return ask()
        except Exception as fault:  # noqa: BLE001 - whatever a plug-in raises, the rest is shown
            failed = (
                f"The ruleset {ruleset.key} {ruleset.version} failed in its {hook} ({type(fault).__name__}: {fault})"
            )
            note_failure("rules", failed, fault)
            self._failed[f"{failed}, {instead}. Tell its authors; what is recorded is whole."] = None
            return None

    def take_faults(self) -> tuple[str, ...]:
        """Sentences for the ways in which rulesets failed to answer since the last call."""
        found = tuple(self._failed)
        self._failed.clear()
        return found

    def version(self, campaign: CampaignState) -> str:
        """The installed version of the ruleset that the campaign plays by; "" if there is none."""
        ruleset = self.ruleset_of(campaign)
        return ruleset.version if ruleset else ""

    def fingerprint(self, campaign: CampaignState) -> str:
        """The fingerprint of the rules, as loaded, that the campaign plays by; "" if it is not known."""
        return self.fingerprint_of(campaign.ruleset)

    def fingerprint_of(self, ruleset: str) -> str:
        """The same of a ruleset, "" for campaigns that have none."""
        return self._fingerprints.get(ruleset, "")

    def stamp(self, campaign: CampaignState) -> str:
        """The stamp of the files of the rules, as loaded, that the campaign plays by; "" if it is not known."""
        return self._stamps.get(campaign.ruleset, "")

    def speller(self, campaign: CampaignState, seat: str = "") -> Speller:
        """The speller of a seat's words, which spells them as the campaign's game does."""
        ruleset = self.ruleset_of(campaign)
        return Speller(ruleset.vocabulary if ruleset else {}, campaign, seat, campaign.is_gm(seat))

    def visibility(self, campaign: CampaignState, intent: Intent) -> str:
        """The visibility of an action by what it says itself. Raises Refused if its parameters are not those of its verb."""
        return build(self.verb(campaign, intent.verb), intent.params).visibility

    def is_final(self, campaign: CampaignState, intent: Intent) -> bool:
        """True if an action of this verb can never be undone."""
        try:
            return self.verb(campaign, intent.verb).final
        except RollbookError:
            return False

    def play(
        self,
        campaign: CampaignState,
        intent: Intent,
        dice: DiceSupply,
        *,
        seat: str = "",
        secret: bool = False,
        ruled: Container[str] = (),
        action: Action | None = None,
        ruleset: Ruleset | None = None,
        table: Callable[..., Table] = Table,
    ) -> Played:
        """Play an intent out. Raises Refused, NotFound, RulesetMissing or DiceNeeded, each with a sentence.

        ``ruled`` are the parameters that the GM has said in correcting what ``seat`` did, so that no player has to be allowed
        them. ``action`` is the intent's if it has been built, ``ruleset`` is given where the campaign does not have its ruleset
        yet, and another ``table`` may do something else with the rolls (see ``rollbook.domain.forecast``).
        """
        ruleset = ruleset or self.ruleset_of(campaign)
        if ruleset is None:
            self.require(campaign)
        if action is None:
            action = build_stored(self.verb(campaign, intent.verb), intent)
        at = table(
            campaign,
            action=action,
            intent=intent,
            dice=dice,
            ruleset=ruleset,
            seat=seat,
            secret=secret,
            ruled=ruled,
            rulesets=self.rulesets,
        )
        return play_out(at, action)

    def sheet(self, who: Character, campaign: CampaignState) -> Sheet:
        """A character's sheet by the campaign's ruleset, with the name as it is shown; the plain one where it has none or fails.

        The last two of each character are kept, because what is recorded is projected and shown from one and the same state,
        and what has changed from that and the one before. That of a draft is not: a draft goes on.
        """
        return self._sheet(who, campaign)[0]

    def keeps_sheet(self, name: CharacterId, before: CampaignState, after: CampaignState) -> bool:
        """True if it is known that a character's sheet is the same at two moments, although other parts changed."""
        was = before.characters.get(name)
        if was is None or was is not after.characters.get(name):
            return False
        kept = self._last_sheets.get(name, ())
        last = next((each for each in kept if each.is_of(was, before) and each.is_of(was, after)), None)
        if last is None:
            return False
        told = self._tells
        return told is None or told(last.said, was, before) == told(last.said, was, after)

    def said_sheet(self, who: Character, campaign: CampaignState) -> SaidSheet:
        """The same sheet, with what a read model needs to know of it."""
        sheet, looked_at, is_sound = self._sheet(who, campaign)
        return SaidSheet(sheet, looked_at, self.stamp(campaign) if is_sound else "")

    def _sheet(self, who: Character, campaign: CampaignState) -> tuple[Sheet, AbstractSet[str], bool]:
        """A sheet, the parts of the campaign that were looked at, and whether it is what the rules of the campaign say."""
        kept = self._last_sheets.get(who.id, ())
        if same := next((last for last in kept if last.who is who and last.campaign is campaign), None):
            return same.shown, same.parts, True
        known = next((last for last in kept if last.is_of(who, campaign)), None)
        if known is not None:
            said, parts, is_sound = known.said, known.parts, True
        else:
            said, parts, is_sound = self._said(who, campaign)
        name = self._name(who, campaign)
        shown = said if name == who.name else attrs.evolve(said, name=name)
        if self._tells is not None:
            shown = self._tells(shown, who, campaign)
        if campaign.sealed and is_sound:
            others = [last for last in kept if last is not known]
            self._last_sheets[who.id] = (LastSheet(who, campaign, said, shown, parts), *others[:1])
        return shown, parts, is_sound

    def _name(self, who: Character, campaign: CampaignState) -> str:
        """A character's name as it is shown; those of the last campaign are kept, for all of its sheets are often asked for."""
        known = self._names
        if known is None or known[0] is not campaign:
            known = campaign, shown_names(campaign.characters.values())
            self._names = known if campaign.sealed else None
        return known[1].get(who.id) or shown_name(who, campaign.characters.values())

    def _said(self, who: Character, campaign: CampaignState) -> tuple[Sheet, set[str], bool]:
        """A sheet as the rules say it, or the plain one."""
        ruleset, looks = self.ruleset_of(campaign), Looks(campaign)
        seen = watched_campaign(looks)
        said = self._asked(ruleset, "sheet", lambda: checked_sheet(ruleset.sheet(who, seen))) if ruleset else None
        return said or plain_sheet(who, seen), looks.parts, said is not None or not campaign.ruleset
