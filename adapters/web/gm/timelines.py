"""Timelines on the web: forks, reruns by other rules, and comparisons with canon."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from starlette.responses import Response

from rollbook.adapters.presentation.plain_text import short_result
from rollbook.adapters.presentation.preview_words import teller
from rollbook.adapters.web.gm.room import Report, begin, in_room
from rollbook.adapters.web.pages.page import RequestContext, redirect
from rollbook.application.book import Book
from rollbook.application.conversions import HEADS, conversions
from rollbook.application.history.timeline_marker import campaign_of, stream_of
from rollbook.application.timelines import forking
from rollbook.application.timelines.comparing import Remark, TimelineComparison
from rollbook.application.timelines.comparing import compare as compared
from rollbook.application.timelines.rerun import NOT_PLAYED
from rollbook.application.timelines.rerun import rerun as played_again
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.corrections.timeline_choices import Choice
from rollbook.projections.log_lines import Teller

Row = tuple[str, str, str, str, str]
"""A choice in a comparison: its number, actor and words, and its result on canon and on the timeline, or ""."""


def show_timelines(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the timelines of the campaign, and the forms that make one."""
    root = campaign_of(context.request.campaign_id)
    return in_room(
        context,
        "gm/timelines.html",
        fault,
        found=forking.summaries(context.view.book, root),
        games=context.view.book.registry.keys,
        typed={name: context.request.sent(name) for name in ("at", "why", "ruleset")},
    )


def fork(context: RequestContext) -> Response:
    """Make a timeline that begins after an action, or now, and redirect to it."""
    parent, at = context.view.campaign, context.request.sent("at").strip().removeprefix("#")
    try:
        if at and not at.isdecimal():
            raise Refused("Say after which action it leaves, by its number, such as 21; nothing for now.")
        entry = parent.session.history.looking_back(lambda history: history.entry_of(int(at))) if at else None
        made = forking.fork(context.view.book, parent, entry, context.request.sent("why"))
        forking.begin(made)
    except RollbookError as fault:
        return show_timelines(context, fault)
    return redirect(f"/c/{made.id}")


def rerun(context: RequestContext) -> Response:
    """Play all actions again by other rules on a timeline, and compare it with canon."""
    name, key, why = (
        campaign_of(context.request.campaign_id),
        context.request.sent("ruleset"),
        context.request.sent("why"),
    )

    def work(book: Book) -> Report:
        made = played_again(book, book.campaign(name), key, {}, why)
        return Report("gm/comparison.html", _comparison(book, compared(book, made)))

    return begin(context, work)


def compare(context: RequestContext) -> Response:
    """Compare a timeline with canon."""
    root, number = campaign_of(context.request.campaign_id), context.request.sent("timeline")
    if not number.isdecimal():
        raise Refused("Say which timeline, by its number.")

    def work(book: Book) -> Report:
        return Report(
            "gm/comparison.html", _comparison(book, compared(book, book.campaign(stream_of(root, int(number)))))
        )

    return begin(context, work)


# The report.


def _comparison(book: Book, report: TimelineComparison) -> Mapping[str, object]:
    canon, here = (book.campaign(name) for name in (report.canon, report.timeline))
    tells = teller(book.rulebook, canon.state, here.state)
    meaningless = Counter(one.why.removeprefix(NOT_PLAYED) for one in report.meaningless)
    return {
        "report": report,
        "sections": [
            ("Comes out differently", [_both(*pair, tells) for pair in report.differences]),
            (f"Only on {report.canon}", [_one(choice, tells, is_here=False) for choice in report.only_canon]),
            (f"Only on {report.timeline}", [_one(choice, tells, is_here=True) for choice in report.only_here]),
            ("Played, but not quite as it was meant", list(_remarks(report.remarks, tells))),
        ],
        "meaningless": meaningless.most_common(),
        "heads": HEADS,
        "people": [] if report.is_one_game else list(conversions(book.rulebook, canon.state, here.state)),
    }


def _both(canon: Choice, here: Choice, tells: Teller) -> Row:
    said = tells.text(here.entry)
    number = f"#{canon.action}" if canon.action == here.action else f"#{canon.action}/#{here.action}"
    return number, said.who, said.what, _result(canon, tells), _result(here, tells)


def _one(choice: Choice, tells: Teller, *, is_here: bool) -> Row:
    said, result = tells.text(choice.entry), _result(choice, tells)
    there, here = ("", result) if is_here else (result, "")
    return f"#{choice.action}", said.who, said.what, there, here


def _remarks(remarks: Iterable[Remark], tells: Teller) -> Iterator[Row]:
    for one in remarks:
        said = tells.text(one.choice.entry)
        yield f"#{one.choice.action}", said.who, said.what, "", one.why


def _result(choice: Choice, tells: Teller) -> str:
    """The result of a choice; its dice, or its words, if it has none."""
    said = tells.text(choice.entry)
    return short_result(said.result) or said.dice or said.what
