"""The GM's room: what only the GM may look at or decide, each on a page of its own."""

from rollbook.adapters.web.gm.adopting import adopt, show_adoption
from rollbook.adapters.web.gm.auditing import audit, show_audit
from rollbook.adapters.web.gm.keeping import back_up, export, show_keeping
from rollbook.adapters.web.gm.room import show_room
from rollbook.adapters.web.gm.seats import PAGES as SEATS
from rollbook.adapters.web.gm.secrets import redact, reveal, reveal_action, show_secrets
from rollbook.adapters.web.gm.timelines import compare, fork, rerun, show_timelines
from rollbook.adapters.web.gm.work import send_file, show_work
from rollbook.adapters.web.pages.page import GM_ONLY, Page

HERE = "/c/{campaign}/gm"

PAGES = (
    Page(path=HERE, handler=show_room, roles=GM_ONLY),
    Page(path=HERE + "/job/{job}", handler=show_work, roles=GM_ONLY),
    Page(path=HERE + "/job/{job}/file", handler=send_file, roles=GM_ONLY),
    Page(path=HERE + "/secrets", handler=show_secrets, roles=GM_ONLY),
    Page(path=HERE + "/secrets", handler=reveal, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/reveal/{action}", handler=reveal_action, roles=GM_ONLY),
    Page(path=HERE + "/redact", handler=redact, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/adopt", handler=show_adoption, roles=GM_ONLY),
    Page(path=HERE + "/adopt", handler=adopt, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/timelines", handler=show_timelines, roles=GM_ONLY),
    Page(path=HERE + "/timelines", handler=fork, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/rerun", handler=rerun, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/compare", handler=compare, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/audit", handler=show_audit, roles=GM_ONLY),
    Page(path=HERE + "/audit", handler=audit, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/keep", handler=show_keeping, roles=GM_ONLY),
    Page(path=HERE + "/export", handler=export, method="POST", roles=GM_ONLY),
    Page(path=HERE + "/backup", handler=back_up, method="POST", roles=GM_ONLY, is_host_only=True),
    *SEATS,
)
