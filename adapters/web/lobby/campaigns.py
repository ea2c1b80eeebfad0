"""The list of campaigns, taking and leaving seats, new campaigns with house rules, and imports of files."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

import attrs
from starlette.datastructures import UploadFile
from starlette.responses import Response

from rollbook.adapters.backups.moving import is_move, take_in
from rollbook.adapters.imports import find_importer, importers
from rollbook.adapters.imports.bounded import check_bounded
from rollbook.adapters.imports.jsonl import import_campaign, is_packed, unpacked
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.adapters.presentation.house_rules import answers_to, question_of, what_holds
from rollbook.adapters.web.pages.page import RequestContext, redirect, render, render_form
from rollbook.adapters.web.seats.requester import Identity
from rollbook.application.after_commit import is_committed, warn
from rollbook.application.book import Book
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.base.seat_words import is_word_of_chance
from rollbook.domain.events import Role
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.lookup import slug

OWN_FORMAT = "rollbook"
ROLES = {Role.GM: "game master", Role.PLAYER: "player", Role.SPECTATOR: "spectator"}


@attrs.frozen(kw_only=True)
class CampaignRow(Record):
    """A campaign as the lobby shows it. ``fault`` is the reason why it cannot be opened, "" if it can.

    ``here`` is its id in this store, "" if that follows from its name.
    """

    id: CampaignId
    name: str
    here: str = ""
    game: str = ""
    amount: str = ""
    seat: str = ""
    fault: str = ""


def show_campaigns(context: RequestContext) -> Response:
    """Show the host all campaigns of the store; others theirs, or the table itself if it is the only one."""
    if context.seated.is_host:
        return show_lobby(context)
    if context.seated.has_page_alone:
        return redirect("/host")
    identities = context.services.sessions.identities(context.request.http)
    if len(identities) == 1:
        return redirect(f"/c/{identities[0].campaign}")
    rows = tuple(_row(context, identity.campaign, identity) for identity in identities)
    return render(context, "lobby/campaigns.html", campaigns=rows, origins=(), fault="", typed={})


def show_lobby(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the host's lobby, with the fault of an import."""
    typed = {name: context.request.sent(name) for name in ("name", "origin")}
    rows = [_row(context, name, None) for name in context.view.book.campaigns()]
    origins = (OWN_FORMAT, *importers())
    return render_form(context, "lobby/campaigns.html", fault, campaigns=rows, origins=origins, typed=typed)


def _row(context: RequestContext, name: CampaignId, identity: Identity | None) -> CampaignRow:
    """The row of a campaign; for others than the host with their seat, and without the reason of a fault."""
    seat = "" if identity is None else f"{context.view.person(identity.seat, name)}, {ROLES[identity.role]}"
    try:
        campaign = context.view.worker.glance(name)
    except RollbookError as fault:
        return CampaignRow(
            id=name, name=name, seat=seat, fault=str(fault) if identity is None else "It cannot be opened."
        )
    state, sessions = campaign.state, campaign.state.session.number if campaign.state.session else 0
    return CampaignRow(
        id=name,
        name=state.name,
        here="" if slug(state.name) == name else name,
        game=_game_of(context, state.ruleset, state.version),
        amount=counted(sessions, "session"),
        seat=seat,
        fault=campaign.session.damage if identity is None else "",
    )


def _game_of(context: RequestContext, key: str, version: str) -> str:
    """The title of a campaign's game; its key and version if it is not installed."""
    try:
        return context.view.book.ruleset(key).title if key else ""
    except RollbookError:
        return f"{key} {version}".strip()


async def ask(context: RequestContext) -> Response:
    """Show the button that takes a seat. Opening the link takes none, so a chat's preview of it does no harm."""
    link = context.services.sessions.look_at(context.request.path["token"])
    called = context.view.person(link.seat, link.campaign)
    called = "" if is_word_of_chance(called) else called  # not known at this node yet
    return render(context, "lobby/join.html", token=context.request.path["token"], link=link, called=called)


async def sit_down(context: RequestContext) -> Response:
    """Take the seat of a link, and redirect to its table."""
    response = redirect("/")
    link = context.services.sessions.sit_down(context.request.http, context.request.path["token"], response)
    response.headers["Location"] = f"/c/{link.campaign}" if link.campaign else "/"
    return response


async def get_up(context: RequestContext) -> Response:
    """Give up all seats in this browser."""
    response = render(context, "lobby/left.html")
    context.services.sessions.leave(context.request.http, response)
    return response


SETTING = "setting."
"""Prefix of the fields of house rules."""


@attrs.frozen(kw_only=True)
class HouseRule(Record):
    """A house rule as a page asks for it: the ``value`` that holds, and the ``usual`` one, as they are typed.

    ``answers`` are the values to choose from, each with what then holds; none where a value is typed.
    """

    name: str
    question: str
    value: str
    usual: str
    answers: tuple[tuple[str, str], ...]
    is_number: bool
    said: str

    @property
    def field(self) -> str:
        """The name of its field."""
        return f"{SETTING}{self.name}"

    @property
    def is_changed(self) -> bool:
        """True if it is not as usual."""
        return self.value != self.usual


def setting_fields(
    game: Ruleset, sent: Mapping[str, object], held: Mapping[str, object] | None = None
) -> list[HouseRule]:
    """The house rules of a game: each as it was sent, or else as it is ``held`` at a table, or else as usual."""
    return [_house_rule(rule, sent, held or {}) for rule in settings_fields(game)]


def _house_rule(rule: Parameter, sent: Mapping[str, object], held: Mapping[str, object]) -> HouseRule:
    usual = typed("" if rule.default is None else rule.default)
    here = held.get(rule.name, rule.default)
    value = str(sent.get(SETTING + rule.name, typed(here) if isinstance(here, (bool, int, str)) else usual))
    return HouseRule(
        name=rule.name,
        question=question_of(rule),
        value=value,
        usual=usual,
        answers=answers_to(rule),
        is_number=rule.want is ParameterType.NUMBER,
        said=what_holds(rule, value),
    )


def chosen(sent: Mapping[str, object]) -> dict[str, str]:
    """The house rules that were sent, as they were typed."""
    return {name.removeprefix(SETTING): str(sent[name]) for name in sent if name.startswith(SETTING)}


def show_games(context: RequestContext) -> Response:
    """Show the installed games, and the house rules of the chosen one."""
    return _show(context, context.request.query)


def _show(context: RequestContext, sent: Mapping[str, object], fault: RollbookError | None = None) -> Response:
    key = str(sent.get("ruleset", ""))
    values: dict[str, object] = {"games": tuple(games_of(context)), "key": "", "title": "", "notice": "", "fields": []}
    try:
        if key:
            game = context.view.book.ruleset(key)
            values |= {
                "key": game.key,
                "title": game.title,
                "notice": game.notice,
                "fields": setting_fields(game, sent),
            }
    except RollbookError as wrong:
        fault = fault or wrong
    typed = {name: str(sent.get(name, "")) for name in ("name", "gm")}
    return render_form(context, "lobby/new.html", fault, **values, typed=typed)


def games_of(context: RequestContext) -> Iterator[tuple[str, str, str]]:
    """The key, title and summary of each game; broken ones are left out, and report it when they are chosen."""
    for key in context.view.book.registry.keys:
        try:
            game = context.view.book.ruleset(key)
            yield key, game.title, game.summary
        except RollbookError:
            continue


def start(context: RequestContext) -> Response:
    """Start a campaign, and redirect to the page that makes seats."""
    key, name, gm = (context.request.sent(field).strip() for field in ("ruleset", "name", "gm"))
    try:
        campaign = context.view.book.new(name, key, chosen(context.request.form), removable_names=True)
    except RollbookError as fault:
        if is_committed():
            raise
        return _show(context, context.request.form, fault)
    try:
        if gm:
            campaign.do("take-seat", {"seat": gm, "role": Role.GM.value})
    except RollbookError as fault:  # the campaign exists, and the next page makes seats
        warn(fault)
    return redirect(f"/c/{campaign.id}/gm/seats")


ENDING = re.compile(r"(\.[a-z0-9]{1,8}){0,2}")
"""The endings of file names that importers may use; no other part of the name is used."""


def begin_import(context: RequestContext) -> Response:
    """Begin to import the file that was sent, on a book of its own, and redirect to the page of its progress."""
    form: Mapping[str, object] = context.request.form
    sent, name, origin = form.get("file"), str(form.get("name", "")), str(form.get("origin", "")) or OWN_FORMAT
    try:
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise NotFound("There is no file yet. Choose one, or drop it on the field.")
        if origin != OWN_FORMAT:
            find_importer(origin)
    except RollbookError as fault:
        return show_lobby(context, fault)
    folder = Path(tempfile.mkdtemp(prefix="rollbook-"))
    called = PurePath(sent.filename).name[:80]
    path = folder / f"sent{_ending(called)}"
    with path.open("wb") as file:
        shutil.copyfileobj(sent.file, file)

    def work(book: Book) -> CampaignId:
        try:
            return taken_in(book, path, origin, name)
        except RollbookError as fault:
            raise type(fault)(str(fault).replace(str(path), called)) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return redirect(f"/import/{context.services.jobs.start(context.seated, work).id}")


def _ending(name: str) -> str:
    found = "".join(PurePath(name).suffixes[-2:]).casefold()
    return found if ENDING.fullmatch(found) else ""


def taken_in(book: Book, path: Path, origin: str, name: str) -> CampaignId:
    """Import a file by the name of the program that wrote it. Raises RollbookError; then nothing was imported."""
    if origin != OWN_FORMAT:
        imported = find_importer(origin)(path, name, known=lambda campaign: known_of(book, campaign), columns=None)
        return record_import(book, imported, name).id
    check_bounded(path)
    if is_move(path):
        return take_in(book, path, name).campaign
    return import_campaign(book, unpacked(path) if is_packed(path) else path, name).campaign


def show_import(context: RequestContext) -> Response:
    """Show an import's progress; then the campaign, or the fault. Raises NotFound for unknown work."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is None:
        raise NotFound(
            "That is done and gone, or the server was started again since. Look whether the campaign is there."
        )
    if not job.is_finished:
        return render(context, "lobby/wait.html", done=job.done, total=job.total)
    try:
        campaign: CampaignId = job.result
    except RollbookError as fault:
        return show_lobby(context, fault)
    return redirect(f"/c/{campaign}")
