"""Parameters that the engine fills in: commitments, seeds, counts, and house rules written out."""

import secrets
from collections.abc import Mapping

import attrs

from rollbook.application.history.head import Head
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.application.ports.seed_store import Seeds
from rollbook.application.time_zones import known_zone
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.actions.campaign import RenameSeat, SetTimeZone, TakeSeat, has_removable_names
from rollbook.domain.actions.dice import GrantDice
from rollbook.domain.actions.handouts import ShowsPicture
from rollbook.domain.actions.notes import WriteNote
from rollbook.domain.actions.sessions import AddEntropy, CloseSession, OpenSession, RevealScreen
from rollbook.domain.actions.talk import Say, Whisper
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.seat_words import word_of_chance
from rollbook.domain.dice.ledger import counts
from rollbook.domain.events import ParameterValue
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, intent_of, parameters
from rollbook.domain.rules.ruleset import chosen_settings, settings_fields
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import seat_of


class EngineParameters:
    """Fills in the parameters of an action that no person gives."""

    def __init__(self, rulebook: Rulebook, dice: DiceFactory) -> None:
        self._rulebook = rulebook
        self._dice = dice

    def filled_in(self, action: Action, head: Head) -> tuple[Action, Seeds | None]:
        """The action with what only the engine knows: commitments, counts and seeds. Also returns seeds that were made."""
        filled, seeds = self._filled_in(action, head)
        return attrs.evolve(action, **filled) if filled else action, seeds

    def _filled_in(self, action: Action, head: Head) -> tuple[dict[str, ParameterValue], Seeds | None]:
        session = head.state.session
        match action:
            case OpenSession() if not (session and session.is_open):
                return self._commitments(head)
            case OpenSession():
                return {"identity": "", "nonce": "", "commit_table": "", "commit_screen": ""}, None
            case Adopt():
                return self.written_out(head, intent_of(action).params), None
            case AddEntropy():
                self._check_can_be_mixed(head)
            case CloseSession() if session is not None:
                seed = self._dice.revealed_at_close(session, head.state.identity)
                return {"seed": seed, "counts": counts(head.ledger)}, None
            case SetTimeZone():
                return {"zone": known_zone(action.zone)}, None
            case WriteNote() | Say() | Whisper() | ShowsPicture() | RenameSeat() | TakeSeat():
                return _salted(action, head.state), None
            case RevealScreen():
                number = action.session
                return {"seed": self._dice.screen_seed(number), "counts": self._dice.screen_counts(number)}, None
            case GrantDice():
                places = self._dice.waiting(head, intent_of(action).params)
                return {"session": head.ledger.session, "places": places}, None
        return {}, None

    def _commitments(self, head: Head) -> tuple[dict[str, ParameterValue], Seeds]:
        seeds = self._dice.seeds.new(head.state.identity)
        table, screen = seeds.commits
        filled: dict[str, ParameterValue] = {
            "identity": seeds.identity.hex(),
            "nonce": seeds.nonce.hex(),
            "commit_table": table,
            "commit_screen": screen,
        }
        return filled, seeds

    def _check_can_be_mixed(self, head: Head) -> None:
        session = head.state.session
        if head.ledger.sealed:
            raise Refused("Dice have been rolled in this session, so nothing more can be mixed into them.")
        if session is not None and self._dice.is_canons(session.identity):
            raise Refused("This session was opened on canon, so what is mixed into its dice is mixed in there.")

    def written_out(self, head: Head, params: Mapping[str, ParameterValue]) -> dict[str, ParameterValue]:
        """The parameters of adopting a ruleset with everything that it is now: version, package, every house rule.

        House rules are those named, then those of the last time that the campaign played by it, then the defaults.
        """
        key = str(params.get("ruleset", ""))
        game, named = self._rulebook.rulesets.get(key), params.get("settings", {})
        if game is None or not isinstance(named, Mapping):
            return dict(params)
        known = {field.name for field in settings_fields(game)}
        former = {name: value for name, value in head.state.former.get(key, {}).items() if name in known}
        settings = chosen_settings(game, {**former, **named})
        package = self._rulebook.packages.get(key, "")
        return {**params, "settings": settings, "version": game.version, "package": package, "by_level": True}


def _salted(action: Action, state: CampaignState) -> dict[str, ParameterValue]:
    """The salt of what can be removed for good."""
    return _apart(action, state) if isinstance(action, TakeSeat) else {"salt": secrets.token_hex(16)}


def _apart(action: TakeSeat, state: CampaignState) -> dict[str, ParameterValue]:
    """A new seat under a word of chance with the name beside it, if the table agreed so.

    What is no name at all is refused as it was typed.
    """
    is_name = action.seat and action.seat == action.seat.strip()
    if not is_name or not has_removable_names(state) or seat_of(state, action.seat):
        return {}
    seat, salt = word_of_chance(secrets.token_bytes(4)), secrets.token_hex(16)
    return {"seat": seat, "called": action.seat, "is_named": True, "salt": salt}


def placeholders(verb: type[Action]) -> dict[str, ParameterValue]:
    """Placeholders for parameters that the engine fills in when an action is taken: no rule's dice depend on them."""
    wanted = (parameter for parameter in parameters(verb) if parameter.hidden and parameter.required)
    return {each.name: each.want.nothing for each in wanted}
