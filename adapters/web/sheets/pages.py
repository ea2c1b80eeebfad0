"""The pages of sheets: the numbers of a character at any moment, the terms of each, and drawings of their course."""

from urllib.parse import quote, urlencode

import attrs
from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.responses import Response

from rollbook.adapters.presentation.moments import NOW, PAST, Place, place_in, read_moment, title_of
from rollbook.adapters.web.pages.page import RequestContext, redirect, render
from rollbook.adapters.web.pages.portraits import portraits_of
from rollbook.adapters.web.table.standing import standing, status_now
from rollbook.adapters.web.workers.campaign_workers import WarmCampaign
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.edition import own_sheet
from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.identifiers import ActionNumber, CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.history.history import History
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import find_character, shown_names
from rollbook.projections.contributions import origins_of, put_away
from rollbook.projections.pictures import Picture, pictures_of, svg, written
from rollbook.projections.sheet_rows import set_aside
from rollbook.projections.status import Status

CORRECTED = "corrected"
"""The value of ``as`` for a past moment with the corrections that were made since."""
NO_MOMENT = "That is not a moment: write an action (12 or #12), an entry (@47), the end of a session (s2), or now."


@attrs.frozen(kw_only=True)
class SheetMoment(Record):
    """The moment of a sheet. ``typed`` is the request's text, ``wrong`` the fault in it: then the moment is now."""

    place: Place
    is_now: bool = True
    corrected: bool = False
    typed: str = NOW
    wrong: str = ""

    @property
    def title(self) -> str:
        """The moment in words, for headings; "" for now."""
        return "" if self.is_now else title_of(self.place, corrected=self.corrected)

    @property
    def query(self) -> str:
        """The query of a link to it, with its ``?``; "" for now."""
        asked = {"at": self.typed, **({"as": CORRECTED} if self.corrected else {})}
        return "" if self.is_now else f"?{urlencode(asked)}"

    def state(self, edition: CampaignView) -> CampaignState:
        """The state of an edition at the moment."""
        return _state(edition, self, self.place)

    def true_state(self, table: WarmCampaign, audience: str | None) -> CampaignState:
        """The state of the whole campaign at the same moment, with all that is hidden from an audience."""
        if self.is_now:
            return table.campaign.state
        edition, place = table.edition(audience), self.place
        entry = edition.real_entry(place.entry) if place.entry else 0
        action = edition.real_action(place.action) if place.action else 0
        return _state(table.campaign, self, Place(place.name, entry, action))

    def history(self, edition: CampaignView) -> History:
        """The history up to the moment; with corrections the whole one, whose later actions the caller leaves out."""
        if self.is_now or self.corrected:
            return edition.history
        return edition.session.history.looking_back(lambda history: history.until(self.place.entry))

    def last_played(self, history: History) -> ActionNumber:
        """The last action at the moment, in the order of play, of the history up to it."""
        return next(history.backwards(), 0) if self.is_now else self.place.action


def _state(campaign: CampaignView, moment: SheetMoment, place: Place) -> CampaignState:
    if moment.is_now:
        return campaign.state
    return campaign.session.history.looking_back(
        lambda history: history.as_corrected_to(place.action) if moment.corrected else history.as_known_at(place.entry)
    )


def asked_moment(query: QueryParams, edition: CampaignView) -> SheetMoment:
    """The moment of a request. If it cannot be read, or never was, it is now, with the fault in ``wrong``."""
    typed, corrected = query.get("at", "").strip() or NOW, query.get("as", "") == CORRECTED
    now = Place(NOW, edition.head.entry, edition.head.actions)
    meant = read_moment(typed)
    if meant is None:
        return SheetMoment(place=now, typed=typed, corrected=corrected, wrong=NO_MOMENT)
    if not any(meant[group] for group in PAST):
        return SheetMoment(place=now)
    try:
        place = edition.session.history.looking_back(lambda history: place_in(history, meant))
    except NotFound as fault:
        return SheetMoment(place=now, typed=typed, corrected=corrected, wrong=str(fault))
    return SheetMoment(place=place, is_now=False, corrected=corrected, typed=typed)


NUMBERS = "Numbers"
FEW_ACTIONS = 3
"""Number of latest actions shown for a term; the others unfold."""
MOST_ACTIONS = 60
"""Most actions that unfold: the rest of a number that changed in every fight is in the log."""


Line = tuple[str, str, str]
"""A number of a sheet: key, label and the amount as it is written."""
Groups = tuple[tuple[str, tuple[Line, ...]], ...]


def groups_of(sheet: Sheet) -> Groups:
    """The numbers of a sheet with the names of their groups, in its order."""
    found: dict[str, list[Line]] = {}
    for value in sheet.values:
        found.setdefault(value.group or NUMBERS, []).append((value.key, value.label, str(value)))
    return tuple((group, tuple(lines)) for group, lines in found.items())


def charts_page(context: RequestContext) -> Response:
    """Show all pictures with a character, of what the requester may see."""
    edition = context.view.edition
    who = find_character(edition.state, context.request.path["who"])
    if who in edition.session.in_words:
        raise NotFound(f"The numbers of {edition.state.characters[who].name} are the GM's.")
    name = shown_names(edition.state.characters.values())[who]
    found = pictures_of(edition.history, edition.session.rulebook, in_words=edition.session.in_words)
    return render(
        context,
        "sheets/charts.html",
        title=f"{name}, drawn · {edition.state.name}",
        who=who,
        name=name,
        charts=[_chart(each) for each in (picture.about(name) for picture in found) if each is not None],
    )


def _chart(picture: Picture) -> tuple[Picture, Markup, list[list[str]]]:
    # The drawing is text of ours: users' words in it were escaped when it was drawn.
    return picture, Markup(svg(picture)), [list(map(written, row)) for row in picture.rows]  # noqa: S704


@attrs.frozen(kw_only=True)
class AskedSheet(Record):
    """A requested sheet: its edition, moment and character; ``is_own``: the requester plays the character.

    ``in_words``: it is a foe's, and the GM shows players the health of foes in words only.
    """

    edition: CampaignView
    moment: SheetMoment
    state: CampaignState
    who: CharacterId
    sheet: Sheet
    is_own: bool
    in_words: bool


def sheet_page(context: RequestContext) -> Response:
    """Show a character's sheet; htmx gets the panel alone."""
    who = context.request.path["who"]
    return _sheet(context, who, follows=f"{context.request.here}/sheet/{quote(who)}")


def first_sheet(context: RequestContext) -> Response:
    """Show the sheet that is open until the reader picks one; if there are no characters, say so."""
    edition, identity = context.view.edition, context.seated
    status = status_now(edition)
    who = _first(status, identity.seat if identity.audience else "")
    if not context.request.is_fragment:
        return redirect(context.request.here + (f"/sheet/{quote(who)}" if who else "#sheet"))
    if not who:
        return render(context, "sheets/first.html", stand=standing(status), loads=False)
    return _sheet(context, who, follows=f"{context.request.here}/sheets")


def _first(status: Status, seat: str) -> str:
    """The character whose sheet opens first: a player's own, else the one on turn, else the first; "" for none."""
    people = [*(status.fight.fighters if status.fight else ()), *status.characters]
    own = (who.character for who in people if seat and who.seat == seat)
    on_turn = status.fight.current if status.fight else ""
    return next(own, on_turn or next((who.character for who in people), ""))


def _sheet(context: RequestContext, who: str, *, follows: str) -> Response:
    """Show a character's sheet. ``follows`` is the address from which the panel reloads."""
    asked = asked_sheet(context, who)
    return render(
        context,
        "sheets/panel.html" if context.request.is_fragment else "sheets/page.html",
        422 if asked.moment.wrong else 200,
        **_values(asked),
        portrait=portraits_of(context, asked.state).get(asked.who, ""),
        follows=follows,
        groups=groups_of(asked.sheet),
        aside=set_aside(asked.state.characters[asked.who]),
    )


def why_page(context: RequestContext) -> Response:
    """Show the terms of a number with their rules and actions, and those that corrections have removed."""
    asked = asked_sheet(context, context.request.path["who"])
    key, moment = context.request.path["key"], asked.moment
    if asked.in_words:
        raise NotFound(f"The numbers of {asked.sheet.name} are the GM's.")
    value = asked.sheet.value(key)
    if value is None:
        raise not_found(f"value on {asked.sheet.name}'s sheet", key, (each.label for each in asked.sheet.values))
    history = moment.history(asked.edition)
    terms = origins_of(history, asked.sheet, value, moment.last_played(history))
    until = history.head if moment.corrected else moment.place.entry
    gone = put_away(history, asked.edition.session.rulebook, asked.who, value.key, until)
    template = "sheets/why_terms.html" if context.request.is_fragment else "sheets/why.html"
    most = {"few": FEW_ACTIONS, "most": MOST_ACTIONS}
    return render(context, template, **_values(asked), value=value, terms=terms, gone=gone, **most)


def _values(asked: AskedSheet) -> dict[str, object]:
    return {
        "sheet": asked.sheet,
        "moment": asked.moment,
        "who": asked.state.characters[asked.who],
        "is_own": asked.is_own,
        "in_words": asked.in_words,
        "title": f"{asked.sheet.name} · {asked.edition.state.name}",
    }


def asked_sheet(context: RequestContext, named: str) -> AskedSheet:
    """The requested sheet. Raises NotFound for a character unknown to the requester, or not in play at the moment."""
    identity = context.seated
    edition = context.view.table.edition(identity.audience)
    who = find_character(edition.state, named)
    moment = asked_moment(context.request.query, edition)
    state = moment.state(edition)
    if who not in state.characters:
        name = edition.state.characters[who].name
        raise NotFound(f"{name} was not in play yet, {moment.title}.")
    sheet = edition.session.rulebook.sheet(state.characters[who], state)
    is_own = identity.role is Role.PLAYER and state.characters[who].seat == identity.seat
    if is_own:
        sheet = _own(context, moment, who, sheet)
    in_words = who in edition.session.in_words
    return AskedSheet(
        edition=edition, moment=moment, state=state, who=who, sheet=sheet, is_own=is_own, in_words=in_words
    )


def _own(context: RequestContext, moment: SheetMoment, who: CharacterId, told: Sheet) -> Sheet:
    true = moment.true_state(context.view.table, context.seated.audience)
    character = true.characters.get(who)
    return told if character is None else own_sheet(told, context.view.campaign.session.rulebook.sheet(character, true))
