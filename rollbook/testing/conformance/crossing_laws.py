"""Laws of crossing: a passport is readable by every game, and a round trip changes nothing."""

from collections.abc import Mapping

import pytest

from rollbook.domain.entries import Intent
from rollbook.domain.events import Scalar
from rollbook.domain.rules.crossing import ABILITIES, ARMOURS, MEANINGS, WEAPONS, Crossing, Passport
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.testing.conformance.correction_laws import written_sheets
from rollbook.testing.conformance.playthrough import NEIGHBOUR, Move, MoveResult, Playthrough
from rollbook.testing.conformance.random_play import RandomPlayer
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action, after_each_playthrough


class CrossingLaws(RandomPlaySuite):
    """Tried out if the ruleset says how characters cross."""

    def test_conditions_are_called_by_what_they_mean_to_every_game(self) -> None:
        unheard = sorted(set(self._crossing().conditions) - set(MEANINGS))
        assert not unheard, f"No game knows what {', '.join(unheard)} means; there are {', '.join(MEANINGS)}."

    @after_each_action
    def test_everybody_has_a_passport_that_other_games_can_read(self, playthrough: Playthrough, _: MoveResult) -> None:
        crossing = self._crossing()
        for who in playthrough.newly_seen():
            fault = fault_in_passport(crossing.describe(who, playthrough.state))
            assert not fault, f"In the passport of {who.name}, {fault}."

    @after_each_playthrough
    def test_who_goes_to_another_game_and_comes_back_is_as_before(
        self, playthrough: Playthrough, _: RandomPlayer
    ) -> None:
        self._crossing()
        before, house = written_sheets(playthrough.state, playthrough.rulebook), playthrough.state.settings
        if not _adopted(playthrough, NEIGHBOUR, {}):
            return
        assert _adopted(playthrough, self.game, house), "Having gone to another game, nobody can come back."
        after = written_sheets(playthrough.state, playthrough.rulebook)
        moved = {key: (before.get(key, "–"), after.get(key, "–")) for key in (*before, *after)}
        moved = {key: both for key, both in moved.items() if both[0] != both[1]}
        assert not moved, f"Nothing happened in the other game, but after coming back this is different: {moved}"

    def _crossing(self) -> Crossing:
        if self.game.crossing is None:
            pytest.skip(f"{self.game.key} does not say how characters cross to other games")
        return self.game.crossing


def _adopted(playthrough: Playthrough, game: Ruleset, house: Mapping[str, Scalar]) -> bool:
    """True if the campaign has gone over to a game, which a fight in progress prevents."""
    intent = Intent(verb="adopt", params={"ruleset": game.key, "settings": house, "by_level": True})
    return playthrough.take(Move(intent=intent, seat="")).played is not None


def fault_in_passport(passport: Passport) -> str:
    """The fault in a passport: the words in it that no other game can read; "" for none."""
    if passport.armour not in ARMOURS:
        return f"the armour {passport.armour!r} is not one of {', '.join(ARMOURS)}"
    odd = [f"{item} ({use})" for item, use in passport.weapons.items() if use not in WEAPONS]
    odd += [condition for condition in passport.conditions if condition not in MEANINGS]
    odd += [ability for ability in passport.modifiers if ability not in ABILITIES]
    if odd:
        return f"{', '.join(odd)} is in no words that every game knows"
    numbers = (passport.max_hp, passport.level, passport.luck, passport.speed, -passport.dies_at)
    return f"one of {numbers} is below 0" if min(numbers) < 0 else ""
