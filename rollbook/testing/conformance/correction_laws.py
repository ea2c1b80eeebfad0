"""Laws of histories: undo can be redone, previews are exact, and everything an action read is noted."""

from collections.abc import Callable, Iterator

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.corrections.changes import Amend, Change, Effect, Orphans, Proposal, Redo, ThinkAgain, Undo
from rollbook.domain.corrections.preview import last_action
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState, equal_in_order
from rollbook.testing.conformance.playthrough import Playthrough
from rollbook.testing.conformance.random_play import RandomPlayer
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_playthrough


class CorrectionLaws(RandomPlaySuite):
    """Tried out on whole playthroughs."""

    @after_each_playthrough
    def test_what_is_undone_can_be_redone(self, playthrough: Playthrough, player: RandomPlayer) -> None:
        action = _any(playthrough, player)
        if not action:
            return
        before = playthrough.state
        taken = playthrough.preview({action: Undo()}, seed=action)
        playthrough.apply(taken)
        gone = (action, *(orphan.action for orphan in taken.of(Effect.ORPHANED)))
        back = playthrough.preview(dict.fromkeys(gone, Redo()), seed=action)
        drifted = [f"#{one.action}" for one in (*taken.of(Effect.DRIFTED), *back.of(Effect.DRIFTED))]
        playthrough.apply(back)
        is_as_before = equal_in_order(playthrough.state, before) and not drifted
        assert is_as_before, (
            f"#{action} was undone and redone, but the campaign is not what it was{': '.join(['', *drifted[:3]])}. "
            f"Do rules remember something, or roll for other purposes than before?"
        )

    @after_each_playthrough
    def test_amending_an_action_to_what_it_was_changes_nothing(
        self, playthrough: Playthrough, player: RandomPlayer
    ) -> None:
        action = _any(playthrough, player)
        if not action:
            return
        made = playthrough.preview({action: Amend({})}, seed=action)
        assert equal_in_order(made.after, playthrough.state), (
            f"#{action}, amended to what it was, comes out differently."
        )
        assert not made.changes, f"#{action}, amended to what it was, moves {made.changes}"

    @after_each_playthrough
    def test_a_preview_shows_what_applying_it_gives(self, playthrough: Playthrough, player: RandomPlayer) -> None:
        for made in _corrections(playthrough, player):
            before = written_sheets(playthrough.state, playthrough.rulebook)
            playthrough.apply(made)
            assert equal_in_order(made.after, playthrough.state), "The preview shows another campaign than it makes."
            after = written_sheets(playthrough.state, playthrough.rulebook)
            moved = [key for key in {**before, **after} if before.get(key, "–") != after.get(key, "–")]
            shown = sorted((change.character, change.label) for change in made.changes)
            changed = sorted((who, label) for who, _, label in moved)
            assert shown == changed, f"The preview shows {shown}, but what changes is {changed}."

    @after_each_playthrough
    def test_whatever_was_corrected_every_action_plays_out_as_it_now_stands(
        self, playthrough: Playthrough, player: RandomPlayer
    ) -> None:
        for made in _corrections(playthrough, player):
            playthrough.apply(made)
        for action in playthrough.correctable():
            _check_plays_out(playthrough, action)


def _any(playthrough: Playthrough, player: RandomPlayer) -> int:
    """The number of an action that can be corrected, 0 if there is none."""
    return player.chance.choice(playthrough.correctable() or (0,))


def _corrections(playthrough: Playthrough, player: RandomPlayer) -> Iterator[Proposal]:
    """A second thought on the last action, then five corrections; each is to be applied before the next is asked for."""
    chance = player.chance
    last = last_action(playthrough.history)
    asked: list[Callable[[], dict[int, Change]]] = [lambda: {last: ThinkAgain(player.thought())}]
    asked += [lambda: _change(playthrough, player)] * 5
    for changes in asked:
        try:
            orphans, seed = chance.choice(tuple(Orphans)), chance.getrandbits(32)
            made = playthrough.preview(changes(), seed, orphans=orphans)
        except RollbookError:
            continue
        yield made


def _change(playthrough: Playthrough, player: RandomPlayer) -> dict[int, Change]:
    chance, history = player.chance, playthrough.history
    undone = [action for action, entry in history.outcomes() if entry is None]
    if undone and player.often(0.4):
        return {chance.choice(undone): Redo()}
    action = _any(playthrough, player)
    entry = history.effective(action)
    if entry is None or not entry.is_outcome or player.often(0.4):
        return {action: Undo()}
    intent = entry.full_intent
    other = player.varied(intent).params
    return {action: Amend({name: value for name, value in other.items() if intent.params.get(name) != value})}


def _check_plays_out(playthrough: Playthrough, action: int) -> None:
    history = playthrough.history
    entry = history.effective(action)
    assert entry is not None
    intent, secret = entry.full_intent, history.is_secret(action)
    dice = RecordedDice((*history.dice_of(action), entry.events), NoDice())
    before = history.state_before(action)
    said = ""
    try:
        played = playthrough.rulebook.play(before, intent, dice, seat=history.seat_of(action), secret=secret)
        said = "" if played.events == entry.events else "comes out differently"
    except RollbookError as refusal:
        said = f"is refused: {refusal}"
    assert not said, (
        f"#{action} ({intent.verb}) was left as it is recorded, but played out now it {said}. "
        f"Rules must read everything through the table, so that it is noted."
    )


def written_sheets(state: CampaignState, rulebook: Rulebook) -> dict[tuple[str, str, str], str]:
    """Every line of every sheet, by character, sort and label."""
    found: dict[tuple[str, str, str], str] = {}
    for who in state.characters.values():
        sheet = rulebook.sheet(who, state)
        found |= {(who.id, "number", value.label): str(value) for value in sheet.values}
        found |= {(who.id, "words", label): words for label, words in sheet.words}
    return found
