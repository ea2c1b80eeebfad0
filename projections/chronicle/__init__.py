"""A campaign as a chronicle: a book to read and print, with the dice in the margin and the evidence at its end.

It is made only from a history as its reader may see it: no file is read or written here.
"""

from collections.abc import Iterator
from datetime import UTC, tzinfo

from rollbook.domain import events
from rollbook.domain.actions.campaign import UTC_NAME
from rollbook.domain.events import Role
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.chronicle import appendices
from rollbook.projections.chronicle.actions import Deed, deeds
from rollbook.projections.chronicle.model import Appendix, Chronicle, Figure, Player, days
from rollbook.projections.chronicle.telling import Telling
from rollbook.projections.log_lines import Teller
from rollbook.projections.pictures.picture import Wanted

__all__ = ["Chronicle", "chronicle_of"]


def chronicle_of(
    history: History,
    rulebook: Rulebook,
    wanted: Wanted,
    *,
    reader: str,
    key: str,
    receipt: str = "",
    zone: tzinfo = UTC,
    zone_name: str = UTC_NAME,
    figures: tuple[Figure, ...] = (),
) -> Chronicle:
    """The chronicle of as much of a history as is ``wanted``, for a ``reader`` ("the table", "Mira", "the GM").

    ``key`` is the campaign's id and ``receipt`` what can be checked, ``figures`` are drawn already. Days are in the ``zone`` that
    is called ``zone_name``. The parts are written when they are asked for.
    """
    every = tuple(deeds(history, wanted))
    found = tuple(deed for deed in every if deed.wanted)
    counting = [deed for deed in found if deed.counts]
    last = found[-1].number if found else 0
    state = history.state if last in (0, next(history.backwards(), 0)) else history.as_corrected_to(last)
    telling = Telling(
        deeds=every, names={who.id: who.name for who in state.characters.values()}, rulebook=rulebook, zone=zone
    )
    contents = tuple(telling.contents())
    titles = [heading.title or heading.label for heading in contents if heading.number]
    moments = [deed.outcome.at for deed in found if deed.outcome.at]
    dates = days(min(moments, default=0), max(moments, default=0), zone)
    names, people = shown_names(state.characters.values()), state.names_of_seats
    behind = (
        appendices.sheets(state, rulebook),
        appendices.experience(counting, names),
        appendices.luck(history, frozenset(deed.number for deed in found), {**people, **names}),
        Appendix(title="Pictures", key="pictures", figures=figures),
        appendices.corrections(found, Teller(names, rulebook, seats=people)),
        appendices.checking(counting, receipt, key),
        Appendix(title="Notice", key="notice", paragraphs=rulebook.notices(state)),
    )
    return Chronicle(
        title=state.name or "A campaign",
        subtitle=f"{len(titles)} sessions" if len(titles) > 1 else "".join(titles),
        dates=f"{dates} ({zone_name})" if dates else "",
        rules=", ".join(_rules(every)),
        reader=reader,
        key=key,
        many=len(found),
        players=tuple(_players(state)),
        contents=contents,
        appendices=tuple(each for each in behind if each.paragraphs or each.tables or each.sheets or each.figures),
        parts=telling.parts,
    )


def _rules(every: tuple[Deed, ...]) -> list[str]:
    adopted = (each for deed in every for each in deed.events if isinstance(each, events.RulesetAdopted))
    return list(dict.fromkeys(f"{each.ruleset} {each.version}" for each in adopted))


def _players(state: CampaignState) -> Iterator[Player]:
    """The seats, GMs first, each with the characters that are played from it."""
    names = shown_names(state.characters.values())
    seats = sorted(state.seats.values(), key=lambda seat: list(_ROLES).index(seat.role))
    for seat in seats:
        played = tuple(names[who.id] for who in state.characters.values() if who.seat == seat.name)
        yield Player(name=seat.shown, role=_ROLES[seat.role], characters=played)


_ROLES = {Role.GM: "game master", Role.PLAYER: "player", Role.SPECTATOR: "spectator"}
