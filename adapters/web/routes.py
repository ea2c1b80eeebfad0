"""The route table: every page with its roles and its handler, in the order in which routes are matched."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from rollbook.adapters.web.acting import line, newcomers, panel, safety, tray
from rollbook.adapters.web.board import pages as board
from rollbook.adapters.web.corrections import pages as corrections
from rollbook.adapters.web.corrections import second_thoughts
from rollbook.adapters.web.corrections.requests import ADJUST, AMEND, OVERRIDE, REDO, REVERSE, UNDO
from rollbook.adapters.web.gm import keeping, room, seats, secrets, timelines
from rollbook.adapters.web.lobby import campaigns
from rollbook.adapters.web.pages.page import GM_ONLY, SEATED, STRANGERS, Handler, Page
from rollbook.adapters.web.replay import pages as replay
from rollbook.adapters.web.sheets import pages as sheets
from rollbook.adapters.web.table import pages as table

TABLE = "/c/{campaign}"
KINDS = ((UNDO, SEATED), (REDO, SEATED), (REVERSE, SEATED), (AMEND, SEATED), (ADJUST, GM_ONLY), (OVERRIDE, GM_ONLY))
"""The kinds of corrections, and the roles that may make each."""
WITH_FORM = (AMEND, ADJUST, OVERRIDE)


def _pages(*rows: tuple[str, Handler], at: str = TABLE, **kind: Any) -> Iterator[Page]:
    """Pages with common settings, each with its method and its address ``at`` the table."""
    for asked, handler in rows:
        method, _, path = asked.partition(" ")
        yield Page(path=f"{at}{path}", handler=handler, method=method, **kind)


def _corrections() -> Iterator[Page]:
    for kind, roles in KINDS:
        begin = corrections.form if kind in WITH_FORM else corrections.begin
        yield from _pages((f"GET /{kind}/{{action}}", partial(begin, kind)), roles=roles)
        yield from _pages((f"POST /{kind}/{{action}}", partial(corrections.send, kind)), roles=roles)


PAGES: tuple[Page, ...] = (
    *_pages(("POST /foes", table.foes), roles=GM_ONLY),
    *_pages(("GET /live", table.live), shared=True),
    *_pages(
        ("GET ", table.table_page),
        ("GET /log", table.log),
        ("GET /card/{number}", table.one_card),
        ("GET /screen", table.screen),
    ),
    *_pages(
        ("GET /act", panel.show_panel),
        ("GET /do/{verb}", panel.show_form),
        ("GET /at/{who}", panel.show_handles),
        roles=SEATED,
        panel="act",
    ),
    *_pages(
        ("POST /do/{verb}", panel.take),
        ("GET /odds/{verb}", panel.show_odds),
        ("POST /say", line.say),
        ("POST /tray", tray.roll),
        ("POST /macros", tray.keep),
        ("GET /complete", line.complete),
        ("POST /choices", panel.pick),
        roles=SEATED,
    ),
    *_pages(("GET /odds/{verb}/counted", partial(panel.show_odds, is_last=True)), roles=SEATED, is_slow=True),
    *_pages(("POST /x-card", safety.raise_card), ("POST /x-card/back", safety.withdraw_card), at_once=True),
    *_pages(
        ("GET /join", newcomers.ask),
        ("POST /x-card/answer", safety.go_on),
        ("GET /x-card/rewind", safety.show_rewind),
        roles=GM_ONLY,
    ),
    *_corrections(),
    *_pages(
        ("GET /think-again/{action}", second_thoughts.think_again),
        ("POST /think-again/{action}", second_thoughts.record_thought),
        ("GET /preview/{job}", corrections.progress),
        ("POST /preview/{job}/leave", corrections.leave),
        ("POST /request/{request}/drop", corrections.drop_request),
        roles=SEATED,
    ),
    *_pages(("GET /requests", corrections.list_requests), roles=SEATED, panel="requests"),
    *_pages(("GET /request/{request}", corrections.look_at_request), roles=GM_ONLY),
    *_pages(
        ("GET ", room.show_room),
        ("GET /job/{job}", room.show_work),
        ("GET /job/{job}/file", room.send_file),
        ("GET /secrets", secrets.show_secrets),
        ("POST /secrets", secrets.reveal),
        ("GET /reveal/{action}", secrets.reveal_action),
        ("POST /redact", secrets.redact),
        ("GET /adopt", room.show_adoption),
        ("POST /adopt", room.adopt),
        ("GET /timelines", timelines.show_timelines),
        ("POST /timelines", timelines.fork),
        ("POST /rerun", timelines.rerun),
        ("POST /compare", timelines.compare),
        ("GET /audit", room.show_audit),
        ("POST /audit", room.audit),
        ("GET /keep", keeping.show_keeping),
        ("POST /export", keeping.export),
        ("GET /seats", seats.show),
        ("POST /seats", seats.make_seat),
        ("POST /seats/link", seats.make_link),
        ("POST /seats/revoke", seats.revoke),
        ("POST /seats/sit", seats.sit),
        at=f"{TABLE}/gm",
        roles=GM_ONLY,
    ),
    *_pages(("POST /gm/backup", keeping.back_up), roles=GM_ONLY, is_host_only=True),
    *_pages(("GET /sheets", sheets.first_sheet), ("GET /sheet/{who}", sheets.sheet_page), panel="sheet"),
    *_pages(("GET /why/{who}/{key:path}", sheets.why_page), ("GET /charts/{who}", sheets.charts_page), is_slow=True),
    *_pages(
        ("GET /board", board.board_page), ("GET /replay", replay.replay_page), ("GET /replay/moments", replay.moments)
    ),
    *_pages(("GET /board/here", board.board_here), panel="board-now"),
    *_pages(("GET /", campaigns.show_campaigns), at=""),
    *_pages(
        ("GET /new", campaigns.show_games),
        ("POST /new", campaigns.start),
        ("POST /import", campaigns.begin_import),
        ("GET /import/{job}", campaigns.show_import),
        at="",
        roles=GM_ONLY,
        is_host_only=True,
    ),
    *_pages(
        ("GET /join/{token}", campaigns.ask),
        ("POST /join/{token}", campaigns.sit_down),
        ("POST /leave", campaigns.get_up),
        at="",
        roles=STRANGERS,
    ),
)
"""Every page; the most requested come first."""
