"""The GM's room: the state of the campaign, adopting another game, its audit, and the progress of slow work."""

from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from rollbook.adapters.web.lobby.campaigns import HouseRule, chosen, games_of, setting_fields
from rollbook.adapters.web.pages.page import RequestContext, redirect, render_form, title_of_fault
from rollbook.application.book import Book
from rollbook.application.conversions import HEADS, conversions
from rollbook.application.visibility.seat_campaign import as_answered
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.audit.answers import Answer
from rollbook.domain.audit.dice_audit import dice_list
from rollbook.domain.audit.receipts import check_receipts, read_receipt
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.records import Record


@attrs.frozen
class Report(Record):
    """The result of some work, to be shown by a template with these values."""

    template: str
    values: Mapping[str, object]


@attrs.frozen
class FileMade(Record):
    """A file that was made to be sent once. ``forget`` removes it and its folder."""

    path: Path
    called: str
    forget: Callable[[], None]


def begin(context: RequestContext, work: Callable[[Book], Report | FileMade]) -> Response:
    """Begin some work on a book of its own, and redirect to the page of its progress."""
    job = context.services.jobs.start(context.seated, work)
    return redirect(f"{room_of(context)}/job/{job.id}")


def room_of(context: RequestContext) -> str:
    """The address below which the requester's slow work is: the GM's room, or a player's record."""
    return f"{context.request.here}/{'gm' if context.seated.is_gm else 'record'}"


def show_work(context: RequestContext) -> Response:
    """Show the progress of some work, and then its result. Raises NotFound for unknown work."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is None:
        raise NotFound("That is done and gone, or the server was started again since. Ask for it once more.")
    if not job.is_finished:
        return in_room(context, "gm/wait.html", done=job.done, total=job.total)
    try:
        made = job.result
    except RollbookError as fault:
        return in_room(context, "gm/failed.html", fault, title=title_of_fault(fault))
    if isinstance(made, FileMade):
        return in_room(context, "gm/made.html", called=made.called, job=job.id, is_here=made.path.exists())
    return in_room(context, made.template, **made.values)


def send_file(context: RequestContext) -> Response:
    """Send the file that some work has made, once. Raises NotFound for one that was sent before."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    made = job.result if job is not None and job.is_finished else None
    if not isinstance(made, FileMade) or not made.path.exists():
        raise NotFound("That file was sent, or the server was started again since. Ask for it once more.")
    gone = BackgroundTask(made.forget)
    return FileResponse(made.path, filename=made.called, headers={"Cache-Control": "no-store"}, background=gone)


def in_room(
    context: RequestContext, template: str, fault: RollbookError | None = None, /, **values: object
) -> Response:
    """A page of the GM's room, or of a player's record, with its ``fault``."""
    page = "GM" if context.seated.is_gm else "Record"
    return render_form(context, template, fault, campaign_name=context.view.name, page_name=page, **values)


def show_room(context: RequestContext) -> Response:
    """Show the game and its house rules, and links to the other pages."""
    campaign = context.view.campaign
    state, head = campaign.state, campaign.head
    game = campaign.session.rulebook.ruleset_of(state)
    return in_room(
        context,
        "gm/room.html",
        game=f"{state.ruleset} {state.version}".strip() or "no ruleset",
        title=game.title if game else "",
        summary=game.summary if game else "",
        rules_here=setting_fields(game, {}, state.settings) if game else [],
        entries=head.entry,
        actions=head.actions,
        session=state.session,
        receipt=str(campaign.receipt()),
    )


def show_rules(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the house rules of the table, to be changed."""
    fields = _rules_of(context, context.request.form)
    return in_room(context, "gm/rules.html", fault, fields=fields, why=context.request.sent("why"))


def _rules_of(context: RequestContext, sent: Mapping[str, object]) -> list[HouseRule]:
    """The house rules of the campaign as they were sent, or else as they are; none without a game."""
    state, rulebook = context.view.campaign.state, context.view.campaign.session.rulebook
    rulebook.require(state)
    game = rulebook.ruleset_of(state)
    return setting_fields(game, sent, state.settings) if game else []


def change_rules(context: RequestContext) -> Response:
    """Change those house rules that were sent otherwise than they are."""
    campaign = context.view.campaign
    held = {rule.name: rule.value for rule in _rules_of(context, {})}
    changed = {name: value for name, value in chosen(context.request.form).items() if held.get(name) != value.strip()}
    try:
        if not changed:
            raise Refused("That is what the table plays by already. Nothing was changed.")
        campaign.do(
            "house-rules",
            {"settings": changed},
            reason=context.request.sent("why"),
            command=context.request.sent("command"),
        )
    except RollbookError as fault:
        return show_rules(context, fault)
    finally:
        context.view.follow()
    return redirect(f"{context.request.here}/gm")


def show_audit(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Explain an audit, with the form that begins one."""
    receipt, noted = str(context.view.campaign.receipt()), context.request.sent("receipts")
    return in_room(context, "gm/audit.html", fault, noted=noted, receipt=receipt)


Again = Callable[[RequestContext, RollbookError], Response]


def audit(context: RequestContext, again: Again = show_audit) -> Response:
    """Begin an audit. A receipt that cannot be read is reported beside the form, which is shown ``again``, filled in."""
    noted, name = context.request.sent("receipts"), context.request.campaign_id
    try:
        receipts = [read_receipt(line) for line in noted.splitlines() if line.strip()]
    except RollbookError as fault:
        return again(context, fault)

    seat = context.seated.acts_as

    def work(book: Book) -> Report:
        campaign = as_answered(book.campaign(name), seat)
        answers: tuple[Answer, ...] = campaign.audit()
        entries = campaign.history.entries
        if receipts:
            answers = (*answers, check_receipts(campaign.id, receipts, entries, of=answers[0].entries))
        about_dice = dice_list(entries) if seat is None else ()  # its numbers count what is hidden, too
        return Report("gm/audited.html", {"answers": answers, "about_dice": about_dice})

    return begin(context, work)


def show_adoption(context: RequestContext) -> Response:
    """Show the installed games; for a chosen one, its house rules and a trial of adopting it."""
    return _show(context, context.request.query)


def _show(context: RequestContext, sent: Mapping[str, object], fault: RollbookError | None = None) -> Response:
    campaign, key = context.view.campaign, str(sent.get("ruleset", ""))
    values: dict[str, object] = {"fields": [], "trial": None, "people": []}
    try:
        if key:
            values["fields"] = setting_fields(context.view.book.ruleset(key), sent)
            trial = campaign.try_out(Adopt.verb, {"ruleset": key, "settings": chosen(sent)})
            people = list(conversions(campaign.session.rulebook, trial.before, trial.after))
            values |= {"trial": trial, "people": people}
    except RollbookError as wrong:
        fault = fault or wrong
    games = [each for each in games_of(context) if each[0] != campaign.state.ruleset]
    values |= {"games": games, "key": key, "heads": HEADS, "command": str(sent.get("command", ""))}
    return in_room(context, "gm/adopt.html", fault, **values)


def adopt(context: RequestContext) -> Response:
    """Adopt another game. If the history has grown, or the rules refuse, the trial is shown once more."""
    key, base = context.request.sent("ruleset"), context.request.sent("base")
    try:
        context.view.campaign.do(
            Adopt.verb,
            {"ruleset": key, "settings": chosen(context.request.form)},
            reason=context.request.sent("why"),
            command=context.request.sent("command"),
            base=int(base) if base.isdecimal() else None,
        )
    except RollbookError as fault:
        return _show(context, context.request.form, fault)
    finally:
        context.view.follow()
    return redirect(context.request.here)
