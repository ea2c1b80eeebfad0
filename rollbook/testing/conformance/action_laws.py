"""Laws of actions: events or a refusal, the same for the same dice, sheets that add up, and what can be done now."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import attrs

from rollbook.adapters.storage.read_model.head_snapshots import decode_state, encode_state
from rollbook.application.encoding.codec import CODEC
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import ConditionBegan, ConditionEnded, Event, vocabulary
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import actor_of, actors_in, build, parameters
from rollbook.domain.state.campaign_state import EMPTY, SHEET_DEPENDENCIES, equal_in_order
from rollbook.domain.state.fold import fold
from rollbook.plugin import Action, CampaignState, Character, Role, RollbookError, Sheet
from rollbook.testing.conformance.playthrough import GM, Move, MoveResult, Playthrough
from rollbook.testing.conformance.random_play import chance_of, filled_in, fixed_playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action, fault_in, made
from rollbook.testing.conformance.random_values import RandomValues
from rollbook.testing.scenarios import fault_in_order

VOCABULARY = frozenset(vocabulary())


class ActionLaws(RandomPlaySuite):
    """Tried out whenever somebody acts."""

    reach: ClassVar[float] = 0.5
    """Share of the ruleset's verbs that random play must get to do something; below that it proves little."""

    def test_the_opening_moves_can_be_made(self) -> None:
        for example, outcome in zip(self.examples, self.opening, strict=True):
            assert outcome.played, f"The example {example!r} is refused: {outcome.refusal}"

    def test_random_play_gets_somewhere(self) -> None:
        own = [verb.verb for verb in self.game.actions]
        opening = [outcome.move for outcome in self.opening]
        done: set[str] = set()
        for number in range(self.playthroughs // 2):
            for _, outcome in fixed_playthrough(self.game, opening, number, 2 * self.actions):
                done |= {outcome.move.intent.verb} if outcome.events else set()
        never = [verb for verb in own if verb not in done]
        assert len(never) <= (1 - self.reach) * len(own), (
            f"Random play never got these verbs to do anything: {', '.join(never)}. "
            f"Give examples of moves that lead there (class attribute: examples)."
        )

    @after_each_action
    def test_an_action_records_events_or_is_refused_with_a_sentence(self, _: Playthrough, outcome: MoveResult) -> None:
        if outcome.played is None:
            fault = fault_in(outcome.refusal, _names(outcome))
            assert not fault, f"This is not a refusal, {fault}: {outcome.refusal!r}"

    @after_each_action
    def test_an_action_leaves_the_campaign_as_it_was(self, playthrough: Playthrough, outcome: MoveResult) -> None:
        before = playthrough.state
        as_it_was = encode_state(before)
        playthrough.try_out(outcome.move)
        assert encode_state(before) == as_it_was, (
            "Playing this action changes the campaign behind the table's back: it may only record events."
        )

    @after_each_action
    def test_the_same_dice_give_the_same_events(self, playthrough: Playthrough, outcome: MoveResult) -> None:
        again = playthrough.try_out(outcome.move, outcome.before)
        assert again.refusal == outcome.refusal, f"The second time it is said: {again.refusal!r}"
        assert again.events == outcome.events, _differently("Played a second time", outcome, again.events)
        if outcome.played is not None and again.played is not None:
            assert again.played.reads == outcome.played.reads, "Played a second time it looks at other things."
            recorded = RecordedDice([outcome.events], NoDice())
            replayed = playthrough.play(outcome.before, outcome.move, recorded)
            assert replayed.events == outcome.events, _differently("With its recorded dice", outcome, replayed.events)

    @after_each_action
    def test_dice_fall_in_the_order_that_the_verb_says(self, playthrough: Playthrough, outcome: MoveResult) -> None:
        verb = playthrough.rulebook.verb(outcome.before, outcome.move.intent.verb)
        fault = fault_in_order(verb, outcome.events)
        assert not fault, fault

    @after_each_action
    def test_events_are_of_the_vocabulary_and_can_be_kept(self, _: Playthrough, outcome: MoveResult) -> None:
        if outcome.played is None:
            return
        for event in outcome.events:
            assert type(event) in VOCABULARY, f"{type(event).__name__} is not in the vocabulary of events."
            kept = CODEC.decode(CODEC.encode(event))
            assert kept == event, f"It was {event},\nbut what is kept of it is {kept}"
        decoded = [CODEC.decode(CODEC.encode(event)) for event in outcome.events]
        after = fold(outcome.before, decoded)
        assert equal_in_order(after, outcome.played.campaign), "The events, read back, do not make the same campaign."
        assert equal_in_order(decode_state(encode_state(after)), after), "The campaign does not survive a snapshot."

    @after_each_action
    def test_every_condition_has_words_for_the_log(self, _: Playthrough, outcome: MoveResult) -> None:
        for event in outcome.events if outcome.played is not None else ():
            if isinstance(event, (ConditionBegan, ConditionEnded)):
                words: object = self.game.condition_words(event.condition)
                said = isinstance(words, str) and words.strip()
                assert said, f"The words of the condition {event.condition!r} are {words!r}."

    @after_each_action
    def test_every_sheet_can_be_derived_and_adds_up(self, playthrough: Playthrough, _: MoveResult) -> None:
        for who in playthrough.newly_seen():
            sheet = self._sheet(who, playthrough.state)
            fault = fault_in_sheet(sheet, who)
            assert not fault, f"On the sheet of {who.name}, {fault}."

    @after_each_action
    def test_a_sheet_follows_from_its_character_the_settings_the_clock_and_the_encounter(
        self, playthrough: Playthrough, _: MoveResult
    ) -> None:
        state = playthrough.state
        everywhere: dict[str, Any] = {part: state.part(part) for part in SHEET_DEPENDENCIES}
        for who in playthrough.newly_seen():
            alone = attrs.evolve(EMPTY, **everywhere, version=state.version, characters={who.id: who})
            assert self._sheet(who, alone) == self._sheet(who, state), (
                f"The sheet of {who.name} depends on more than the character, the settings, the clock and the "
                f"encounter, so a preview would not know when it changes."
            )

    def _sheet(self, who: Character, campaign: CampaignState) -> Sheet:
        return made(f"The sheet of {who.name}", Sheet, lambda: self.game.sheet(who, campaign))


def fault_in_sheet(sheet: Sheet, who: Character) -> str:
    """The fault in a sheet; "" for none."""
    if sheet.character != who.id:
        return f"it says that it is the sheet of {sheet.character!r}"
    for names in (
        [value.key for value in sheet.values],
        [value.label for value in sheet.values],
        [w for w, _ in sheet.words],
    ):
        twice = {name for name in names if names.count(name) > 1 or not name}
        if twice:
            return f"{sorted(twice)} is blank or there more than once"
    for value in sheet.values:
        summed = sum(term.amount for term in value.terms)
        if value.terms and summed != value.amount:
            terms = " ".join(f"{term.amount:+d} {term.label}" for term in value.terms)
            return f"{value.label} is {value.amount}, but its terms come to {summed}: {terms}"
        if any(not term.label for term in value.terms):
            return f"{value.label} has a term without a name"
    return ""


def _differently(how: str, one: MoveResult, other: tuple[Event, ...]) -> str:
    listed = "".join(f"\n  {event}" for event in one.events), "".join(f"\n  {event}" for event in other)
    return f"{how} it comes out differently:{listed[0] or ' nothing'}\nis now{listed[1] or ' nothing'}"


def _names(outcome: MoveResult) -> set[str]:
    """Words that a refusal may begin with in lower case: those that were typed, and names of things."""
    intent, campaign = outcome.move.intent, outcome.before
    said: list[object] = []
    for value in intent.params.values():
        said += (
            (*value, *value.values()) if isinstance(value, Mapping) else value if isinstance(value, tuple) else [value]
        )
    people = {who.name for who in campaign.characters.values()}
    words = {word for word in said if isinstance(word, str)}
    return {intent.verb, *intent.params, *words, *campaign.seats, *people, *campaign.characters}


EVERY = 4
"""Entries between two trials of the impossible verbs, because all of them are tried."""

FEW = 3
"""Characters of whom it is asked after each action what can be done with them."""

TRIES = 3
"""Tries of a verb that is called impossible, with other parameters each time."""


class AvailabilityLaws(RandomPlaySuite):
    """Tried out whenever somebody acts."""

    @after_each_action
    def test_what_is_played_was_not_called_impossible(self, playthrough: Playthrough, outcome: MoveResult) -> None:
        move, before = outcome.move, outcome.before
        if outcome.played is None:
            return
        action = build(playthrough.rulebook.verb(before, move.intent.verb), move.intent.params)
        if not _is_plain(action, before, move.seat):
            return
        for who in (actor_of(action),) if actors_in(type(action)) else tuple(before.characters)[:1]:
            reason = who and _available(playthrough.rulebook, before, who, move.seat).get(action.verb, "")
            assert not reason, f"It is played, and was called impossible for {who}: {reason}"

    @after_each_action
    def test_what_can_be_done_is_never_an_answer_of_an_earlier_moment(
        self, playthrough: Playthrough, _: MoveResult
    ) -> None:
        state, rules = playthrough.state, playthrough.rulebook
        for who in tuple(state.characters)[:FEW]:
            assert _available(rules, state, who, GM) == _available(rules.apart(), state, who, GM), who

    @after_each_action
    def test_what_is_called_impossible_is_refused(self, playthrough: Playthrough, _: MoveResult) -> None:
        state, head = playthrough.state, playthrough.history.head
        if head % EVERY or not state.characters or GM not in state.seats:
            return
        chance = chance_of("available", head)
        who = chance.choice(tuple(state.characters))
        said = _available(playthrough.rulebook, state, who, GM)
        assert said == _available(playthrough.rulebook, state, who, GM), (
            "Asked twice of one moment, it is another answer."
        )
        for name, reason in said.items():
            for _try in range(TRIES if reason else 0):
                move = _plain_move(playthrough.rulebook.verb(state, name), who, RandomValues(chance, state), chance)
                assert not playthrough.try_out(move).played, f"It is called impossible, and played: {reason}"


def _available(rules: Rulebook, campaign: CampaignState, who: str, seat: str) -> dict[str, str]:
    found = rules.available(campaign, who, seat=seat)
    faults = rules.take_faults()
    assert not faults, faults[0]
    return found


def _is_plain(action: Action, campaign: CampaignState, seat: str) -> bool:
    """True if an action holds no ruling of the GM's, and its seat may take it."""
    rulings = [each for each in parameters(type(action)) if each.gm_only and not each.required]
    if any(getattr(action, each.name) != each.default for each in rulings):
        return False
    try:
        action.check_taken(campaign, campaign.seats[seat].role if seat in campaign.seats else Role.GM)
    except RollbookError:
        return False
    return True


def _plain_move(verb: type[Action], who: str, values: RandomValues, chance: Random) -> Move:
    """Any move of a verb that has an actor, without a ruling."""
    params = filled_in(verb)
    for parameter in parameters(verb):
        is_said = parameter.required or (not parameter.gm_only and values.often(0.3))
        if is_said and not parameter.hidden:
            params[parameter.name] = values.of(parameter)
    params |= dict.fromkeys(actors_in(verb)[:1], who)
    return Move(intent=Intent(verb=verb.verb, params=params), seed=chance.getrandbits(32))
