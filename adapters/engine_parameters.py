"""What only the engine knows of an action that is about to be taken: commitments, seeds, counts, house rules written out."""

from __future__ import annotations

import secrets

from adapters.dice_factory import DiceFactory
from adapters.head import Head
from adapters.seeds import Seeds
from domain.action import Action, parameters
from domain.actions import AddEntropy, Adopt, CloseSession, OpenSession, RevealScreen, WriteNote
from domain.actions.dice_policy import GrantDice
from domain.dice.ledger import counts
from domain.errors import Refused
from domain.events import Scalar
from domain.parameters import ParameterType
from domain.rulebook import Rulebook
from domain.ruleset import chosen_settings, settings_fields, written_settings


class EngineParameters:
    """Fills in the parameters of verbs that nobody is asked for."""

    def __init__(self, rulebook: Rulebook, dice: DiceFactory) -> None:
        self._rulebook = rulebook
        self._dice = dice

    def fill_in(self, verb: type[Action], head: Head, params: dict[str, Scalar]) -> Seeds | None:
        """The parameters that only the engine knows: commitments, counts and seeds. Returns seeds that were made."""
        session = head.state.session
        if verb is OpenSession and not (session and session.is_open):
            seeds = self._dice.seeds.new(head.state.identity)
            params["identity"], params["nonce"] = seeds.identity.hex(), seeds.nonce.hex()
            params["commit_table"], params["commit_screen"] = seeds.commits
            return seeds
        if verb is OpenSession:
            params.update(identity="", nonce="", commit_table="", commit_screen="")
        elif verb is Adopt:
            self.write_out(head, params)
        elif verb is AddEntropy and head.ledger.sealed:
            raise Refused("Dice have been rolled in this session, so nothing more can be mixed into them.")
        elif verb is AddEntropy and session is not None and self._dice.is_canons(session.identity):
            raise Refused("This session was opened on canon, so what is mixed into its dice is mixed in there.")
        elif verb is CloseSession and session is not None:
            params["seed"] = self._dice.revealed_at_close(session, head.state.identity)
            params["counts"] = tuple(f"{counter}={many}" for counter, many in counts(head.ledger).items())
        elif verb is WriteNote:
            params["salt"] = secrets.token_hex(16)
        elif verb in (RevealScreen, GrantDice):
            self._look_up(verb, head, params)
        return None

    def _look_up(self, verb: type[Action], head: Head, params: dict[str, Scalar]) -> None:
        """What only the history can say: how many secret rolls there were, and which dice wait to be met again."""
        if verb is RevealScreen:
            params["seed"] = self._dice.screen_seed(params.get("session"))
            params["counts"] = self._dice.screen_counts(params.get("session"))
        else:
            params["session"] = head.ledger.session
            params["places"] = self._dice.waiting(head, params)

    def write_out(self, head: Head, params: dict[str, Scalar]) -> None:
        """A ruleset to adopt with everything that it is at this moment: version, package, every house rule.

        House rules are those named, then those of the last time that the campaign played by it, then the usual ones.
        """
        key = str(params.get("ruleset", ""))
        game, named = self._rulebook.rulesets.get(key), params.get("settings", ())
        if game is None or not isinstance(named, tuple):
            return
        known = {field.name for field in settings_fields(game)}
        former = {name: value for name, value in head.state.former.get(key, {}).items() if name in known}
        settings = chosen_settings(game, {**former, **dict(pair.partition("=")[::2] for pair in named)})
        params.update(
            settings=written_settings(settings), version=game.version, package=self._rulebook.packages.get(key, "")
        )


def placeholders(verb: type[Action]) -> dict[str, Scalar]:
    """Something in the place of what only the engine knows once an action is taken: no rule's dice hang on it."""
    wanted = (parameter for parameter in parameters(verb) if parameter.hidden and parameter.required)
    return {each.name: 0 if each.want is ParameterType.NUMBER else () if each.want.is_list else "" for each in wanted}
