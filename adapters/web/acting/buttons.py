"""The verbs of a seat as buttons: a few in sight, by how often they are used, and the others one tap away.

What cannot be taken now says why in its place.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

import attrs

from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.forms.fields import has_offers, is_listed
from rollbook.application.forms.verb_form import spoken
from rollbook.application.lines.seat_view import View
from rollbook.application.lines.short_forms.first_word import END_TURN, may_be_said
from rollbook.application.verbs import own_and_shared, verb_summary
from rollbook.application.view import CampaignView
from rollbook.domain.base.records import Record
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, handle_of, is_the_gms, user_parameters
from rollbook.domain.rules.handles import HandleKind
from rollbook.domain.state.campaign_state import CampaignState, Character

ALIKE = 3
"""Least number of verbs with the same reason against them that form a group of their own."""

IN_SIGHT = 6
"""Most verbs in sight, each with a key."""

CHOOSE = "choose"
"""The verb for open choices, which have buttons of their own."""


@attrs.frozen(kw_only=True)
class VerbButton(Record):
    """A verb. ``reason`` is the rules' reason against it at this moment, "" if none is known."""

    verb: str
    hint: str
    reason: str = ""
    ends_turn: bool = False

    @property
    def title(self) -> str:
        """The verb as people say it."""
        return spoken(self.verb)


@attrs.frozen
class Group(Record):
    """Verbs behind a heading; ``reason`` is the rules' reason against all of them."""

    title: str
    verbs: tuple[VerbButton, ...]
    reason: str = ""


@attrs.frozen
class Buttons(Record):
    """``now`` are the verbs in sight, those first that fit the moment; ``more`` are the others."""

    now: tuple[VerbButton, ...]
    more: tuple[Group, ...]


_KEPT: WeakKeyDictionary[CampaignView, tuple[tuple[str, int, CampaignState], Buttons]] = WeakKeyDictionary()
"""The last buttons of each edition, after what they depend on: actor, changes to the short forms, and state."""


def buttons_of(seat_context: SeatContext, who: str) -> Buttons:
    """The verbs that a seat may use for an actor ("": none in particular)."""
    at = (who, seat_context.short.last(seat_context.edition).changes, seat_context.edition.state)
    kept = _KEPT.get(seat_context.edition)
    if kept is None or kept[0] != at:
        kept = _KEPT[seat_context.edition] = at, _made(seat_context, who)
    return kept[1]


@attrs.frozen
class _Menu(Record):
    """The verbs of a seat at one moment: those that characters act by, and those of the game and the table.

    None of their buttons has a reason. ``attacks`` are the verbs that attack.
    """

    acts: Mapping[type[Action], VerbButton]
    game: tuple[VerbButton, ...]
    table: tuple[VerbButton, ...]
    attacks: frozenset[str]


_MENUS: WeakKeyDictionary[Rulebook, dict[tuple[str, bool, bool], _Menu]] = WeakKeyDictionary()
"""The menus of a game by its key: for the GM or a player, in a fight or outside it."""


def _menu(seat_context: SeatContext) -> _Menu:
    edition = seat_context.edition
    menus = _MENUS.setdefault(edition.session.rulebook, {})
    at = edition.state.ruleset, seat_context.is_gm, edition.state.encounter is not None
    if at not in menus:
        menus[at] = _made_menu(seat_context)
    return menus[at]


def _made_menu(seat_context: SeatContext) -> _Menu:
    own, shared = own_and_shared(seat_context.edition)
    known = {*may_be_said(seat_context.edition)} - {CHOOSE}
    mine = [verb for verb in own if verb.verb in known and seat_context.verbs.get(verb.verb) is verb]
    rest = [verb for verb in shared if verb.verb in known and verb.verb in seat_context.verbs]
    return _Menu(
        acts={verb: _plain(verb) for verb in mine if not is_the_gms(verb)},
        game=tuple(_plain(verb) for verb in mine if is_the_gms(verb) and seat_context.is_gm),
        table=tuple(_plain(verb) for verb in rest if seat_context.is_gm or not is_the_gms(verb)),
        attacks=frozenset(verb.verb for verb in (*mine, *rest) if handle_of(verb, HandleKind.ATTACK) is not None),
    )


def _made(seat_context: SeatContext, who: str) -> Buttons:
    actor = seat_context.view.character(who)
    against = _against(seat_context, actor)
    menu = _menu(seat_context)
    acts = [_with(button, against(verb)) for verb, button in menu.acts.items()]
    game, table = menu.game, menu.table
    is_fight = seat_context.edition.state.encounter is not None
    sight = _in_sight(seat_context, who, acts, game if is_fight else (*game, *table), menu.attacks)
    in_sight = {each.verb for each in sight}
    left = [each for each in acts if each.verb not in in_sight]
    groups = (
        Group("More to do", tuple(each for each in left if not each.reason)),
        *_not_now([each for each in left if each.reason], {each.verb: each for each in menu.acts.values()}),
        Group("The game", tuple(each for each in game if each.verb not in in_sight)),
        Group("The table", tuple(each for each in table if each.verb not in in_sight)),
    )
    return Buttons(sight, tuple(group for group in groups if group.verbs))


def _in_sight(
    seat_context: SeatContext,
    who: str,
    acts: Sequence[VerbButton],
    others: Sequence[VerbButton],
    attacks: Collection[str],
) -> tuple[VerbButton, ...]:
    """The verbs in sight: those that fit first, then by use; of the ``others`` those that were ever used."""
    last, is_fight = seat_context.short.last(seat_context.edition), seat_context.edition.state.encounter is not None

    def uses(button: VerbButton) -> int:
        return sum(last.taken(whose, button.verb, in_fight=is_fight) for whose in {who, ""})

    may = [each for each in acts if not each.ends_turn] + [each for each in others if uses(each)]

    def place(button: VerbButton) -> tuple[bool, int, bool]:
        return bool(button.reason), -uses(button), not (is_fight and button.verb in attacks)

    return tuple(sorted(may, key=place)[:IN_SIGHT])


def _not_now(refused: Sequence[VerbButton], plain: Mapping[str, VerbButton]) -> Iterator[Group]:
    """The verbs that do not fit: first those that share a reason, grouped, then the rest."""
    many = Counter(each.reason for each in refused)
    for reason, count in many.items():
        if count >= ALIKE:
            yield Group("Not now", tuple(plain[each.verb] for each in refused if each.reason == reason), reason)
    yield Group("Does not fit", tuple(each for each in refused if many[each.reason] < ALIKE))


def _plain(verb: type[Action]) -> VerbButton:
    return VerbButton(verb=verb.verb, hint=verb_summary(verb), ends_turn=verb.verb == END_TURN)


def _with(button: VerbButton, reason: str) -> VerbButton:
    if not reason:
        return button
    return VerbButton(verb=button.verb, hint=button.hint, reason=reason, ends_turn=button.ends_turn)


def _against(seat_context: SeatContext, actor: Character | None) -> Callable[[type[Action]], str]:
    """The reason against each verb at this moment, "" if the actor alone gives none."""
    if actor is None:
        return lambda _: ""
    edition, view = seat_context.edition, seat_context.view
    known = edition.session.rulebook.available(edition.state, actor.id, seat=edition.seat(seat_context.seat))
    return lambda verb: known.get(verb.verb, "") or _not_offered(verb, view, actor)


def _not_offered(verb: type[Action], view: View, actor: Character) -> str:
    """The reason against a verb if the actor has nothing of a kind that it needs, "" otherwise."""
    for parameter in user_parameters(verb):
        is_chosen = parameter.required and not parameter.actor and is_listed(parameter)
        if is_chosen and not has_offers(parameter, view, actor):
            return f"{actor.name} has nothing of that sort: {parameter.help}."
    return ""
