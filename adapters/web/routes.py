"""The route table: every page with its roles and its handler, in the order in which routes are matched."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from rollbook.adapters.web.acting import line, panel, safety, tray
from rollbook.adapters.web.board import pages as board
from rollbook.adapters.web.corrections import pages as corrections
from rollbook.adapters.web.corrections import second_thoughts
from rollbook.adapters.web.corrections.requests import ADJUST, AMEND, INSERT, OVERRIDE, REDO, REVERSE, UNDO
from rollbook.adapters.web.gm import keeping, room, seats, secrets, timelines
from rollbook.adapters.web.handouts import pages as handouts
from rollbook.adapters.web.host import persons, self_service, tables
from rollbook.adapters.web.lobby import campaigns
from rollbook.adapters.web.newcomers import pages as newcomers
from rollbook.adapters.web.pages.page import GM_ONLY, SEATED, STRANGERS, Handler, Page
from rollbook.adapters.web.records import pages as records
from rollbook.adapters.web.replay import pages as replay
from rollbook.adapters.web.sheets import pages as sheets
from rollbook.adapters.web.table import pages as table
from rollbook.adapters.web.tokens import pages as tokens
from rollbook.adapters.web.welcome import pages as welcome

TABLE = "/c/{campaign}"
KINDS = (
    *((UNDO, SEATED), (REDO, SEATED), (REVERSE, SEATED), (AMEND, SEATED)),
    *((ADJUST, GM_ONLY), (OVERRIDE, GM_ONLY), (INSERT, GM_ONLY)),
)
"""The kinds of corrections, and the roles that may make each."""
WITH_FORM = (AMEND, ADJUST, OVERRIDE, INSERT)


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


NEWS = Page(path=f"{TABLE}/live", handler=table.live, shared=True)
"""The page of what is new at a table since a cursor."""

PAGES: tuple[Page, ...] = (
    *_pages(("POST /foes", table.foes), roles=GM_ONLY),
    NEWS,
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
        ("GET /join", newcomers.ask),
        ("POST /join/ask", newcomers.ask_to_come_in),
        ("POST /join/roll", newcomers.roll),
        ("GET /newcomer/{request}", newcomers.show_request),
        roles=SEATED,
    ),
    *_pages(("GET /odds/{verb}/counted", partial(panel.show_odds, is_last=True)), roles=SEATED, is_slow=True),
    *_pages(("GET /handouts", handouts.show_handouts), ("GET /pictures/{digest}", handouts.send_picture)),
    *_pages(("POST /talk", handouts.talk), ("POST /portraits", handouts.set_portrait), roles=SEATED),
    *_pages(("POST /handouts", handouts.hand_out), ("POST /board/map", board.lay_map_there), roles=GM_ONLY),
    *_pages(("POST /x-card", safety.raise_card), ("POST /x-card/back", safety.withdraw_card), at_once=True),
    *_pages(
        ("POST /welcome/session", welcome.open_session),
        ("POST /join", newcomers.come_in),
        ("POST /newcomer/{request}", newcomers.bring_in),
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
        ("GET /rules", room.show_rules),
        ("POST /rules", room.change_rules),
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
        ("POST /seats/invite", seats.invite),
        ("POST /seats/link", seats.make_link),
        ("POST /seats/revoke", seats.revoke),
        ("POST /seats/sit", seats.sit),
        ("GET /another", self_service.show),
        ("POST /another", self_service.begin),
        at=f"{TABLE}/gm",
        roles=GM_ONLY,
    ),
    *_pages(("GET ", records.show_record), at=f"{TABLE}/record"),
    *_pages(
        ("POST /audit", records.audit),
        ("POST /export", records.export),
        ("GET /job/{job}", room.show_work),
        ("GET /job/{job}/file", room.send_file),
        at=f"{TABLE}/record",
        roles=SEATED,
    ),
    *_pages(("GET /tokens", tokens.show), ("POST /tokens", tokens.make), ("POST /tokens/revoke", tokens.revoke)),
    *_pages(("POST /gm/backup", keeping.back_up), roles=GM_ONLY, is_host_only=True),
    *_pages(("GET /welcome", welcome.show_welcome), panel="welcome"),
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
        ("GET ", tables.show),
        ("POST /tables", tables.begin),
        ("POST /link", tables.make_link),
        ("POST /revoke", tables.revoke),
        ("POST /limit", tables.limit),
        ("GET /delete", tables.look_before_deleting),
        ("POST /delete", tables.delete),
        ("GET /person", persons.show),
        ("POST /person/export", persons.export),
        ("POST /person/remove", persons.remove),
        at="/host",
        roles=GM_ONLY,
        is_hosts_page=True,
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
