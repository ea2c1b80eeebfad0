"""Replays an action with its recorded dice, retyped ones, those a GM put in their place, or fresh ones."""

from functools import partial
from itertools import chain

from rollbook.domain.actions.dice import overrides_of
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Correction, Insert, Override
from rollbook.domain.dice.record import are_typed
from rollbook.domain.dice.recorded import OverrideDice, RecordedDice
from rollbook.domain.dice.supply import DiceNeeded, DiceSupply, NoDice, PhysicalDice
from rollbook.domain.dice.wanted import taken_typed
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.history import History
from rollbook.domain.history.rulings import ruled
from rollbook.domain.history.secrecy import GM
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import actor_of, build
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState


class ReplayedDice:
    """Plays the outcomes of a history again for one correction."""

    def __init__(self, history: History, correction: Correction, rulebook: Rulebook) -> None:
        self.history = history
        self.correction = correction
        self.rulebook = rulebook
        self._own: tuple[RecordedEntry, RecordedDice] | None = None

    def play(
        self,
        campaign: CampaignState,
        outcome: RecordedEntry,
        intent: Intent,
        dice: DiceSupply | None = None,
        *,
        override: Override | None = None,
    ) -> Played:
        """Play an outcome's action again, if no other ``dice`` are named with its own and then fresh ones."""
        action = outcome.action
        taken = outcome if outcome.kind is EntryKind.TAKEN else self.history.taken(action)
        seat, secret = taken.seat, taken.visibility == GM
        try:
            if dice is None:
                dice = self._dice(outcome, self.correction.dice)
                dice = self._overridden(dice, override) if override else dice
            is_the_gms = action in self.correction.changes and self.correction.seat != seat
            said = intent.params if is_the_gms else ruled(self.history, action, intent)
            return self.rulebook.play(campaign, intent, dice, seat=seat, secret=secret, ruled=said)
        except DiceNeeded as needed:
            whose = self._whose(campaign, intent, needed.request.roller)
            raise needed.in_(action, whose) from None

    def play_inserted(
        self, campaign: CampaignState, action: ActionNumber, change: Insert, *, secret: bool
    ) -> tuple[Played, tuple[int, ...] | None]:
        """Play an action that is to be inserted. Dice that were drawn for such actions and wait come first.

        Returns the faces too that are not used of those that were typed for it alone, None if none were.
        """
        intent, drawn = change.intent, self.history.drawn_to_insert()

        def play(fresh: DiceSupply) -> Played:
            dice = RecordedDice((), fresh, drawn)
            return self.rulebook.play(campaign, intent, dice, seat=change.seat, secret=secret)

        if change.typed:
            steps = self.rulebook.verb(campaign, intent.verb).typed_dice
            return taken_typed(lambda typed: play(PhysicalDice(tuple(typed))), play, change.typed, steps)
        try:
            return play(self.correction.dice), None
        except DiceNeeded as needed:
            raise needed.in_(action, self._whose(campaign, intent, needed.request.roller)) from None

    def _whose(self, campaign: CampaignState, intent: Intent, roller: str) -> str:
        """The action that a die is for: ``Robin's attack on the guard``, or Robin's roll in somebody else's action."""
        action = build(self.rulebook.verb(campaign, intent.verb), intent.params)
        called = {who.id: who.name for who in campaign.characters.values()}
        others = [called.get(name, name) for name in action.characters_named() if name != roller]
        doing = intent.verb.replace("-", " ") + (f" on {' and '.join(others)}" if others else "")
        if roller in ("", actor_of(action)):
            return f"{called[roller]}’s {doing}" if roller in called else f"The {doing}"
        return f"{called.get(roller, roller)}’s {'roll in the ' if others else ''}{doing}"

    def _dice(self, outcome: RecordedEntry, fresh: DiceSupply) -> RecordedDice:
        """An outcome's own dice come first, whatever other outcomes the action has had."""
        action = outcome.action
        rolled = self.history.dice_of(action)
        if not rolled or rolled[-1] is not outcome.events:
            rolled = (*rolled, outcome.events)
        return RecordedDice(rolled, fresh, self.history.drawn_for(action))

    def own_dice(self, outcome: RecordedEntry) -> RecordedDice:
        """The dice of an outcome and no others. It is played with them twice in a row, once in each course."""
        if self._own is None or self._own[0] is not outcome:
            self._own = outcome, self._dice(outcome, NoDice())
        return self._own[1]

    def _overridden(self, recorded: DiceSupply, override: Override) -> DiceSupply:
        """The faces that the GM puts in the place of some, if the table has not agreed otherwise."""
        agreed = overrides_of(self.history.state)
        if agreed == "forbidden":
            raise Refused(
                "The table agreed that no die is overridden. To agree on something else: rollbook do agree overrides open"
            )
        campaign, seat = self.history.state, self.correction.seat
        if not campaign.is_gm(seat):
            raise Refused(f"Only the GM overrides dice; {seat} is a {campaign.seats[seat].role}.")
        if not self.correction.reason.strip():
            raise Refused("An override needs its reason, because it stays on record: --why TEXT")
        return OverrideDice(recorded, override.faces, first=override.first, secret_only=agreed == "gm")

    def play_retyped(
        self, campaign: CampaignState, outcome: RecordedEntry, intent: Intent, faces: tuple[int, ...]
    ) -> tuple[Played, tuple[int, ...]]:
        """Play an outcome's action with all of its real dice typed again. Returns the faces too that are not used.

        Raises Refused if the action's dice were not typed in.
        """
        rolls = (event for event in chain(*self.history.dice_of(outcome.action)) if isinstance(event, DiceRolled))
        if not all(are_typed(roll.sources) for roll in rolls):
            raise Refused(
                f"The dice of action #{outcome.action} came from the committed stream; only real dice that were typed "
                f"in can be typed again."
            )
        play = partial(self.play, campaign, outcome, intent)
        steps = self.rulebook.verb(campaign, intent.verb).typed_dice
        return taken_typed(lambda typed: play(PhysicalDice(tuple(typed))), play, faces, steps)
