"""The session that ``rollbook demo`` plays, and what it shows afterwards."""

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.script import play_script
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views import log, sheet
from rollbook.adapters.line_commands.views.audit import show_audit
from rollbook.adapters.line_commands.views.log import show_xp
from rollbook.adapters.plugins.installed_files import installed_file
from rollbook.application.campaign import Campaign
from rollbook.domain.base.letters import id_of
from rollbook.domain.events import CharacterKind
from rollbook.projections.database import UNDONE

DEMO_NAME = "Sherwood"
SCRIPT_FILE = "sherwood.session"


def script_lines() -> list[str]:
    """The lines of the script. Raises NotFound."""
    return installed_file("examples", SCRIPT_FILE).read_text(encoding="utf-8").splitlines()


def play_demo(cli: CliContext) -> None:
    """Play the session and show what it came to."""
    lines = script_lines()
    known = cli.book(create=True).campaigns()
    names = (DEMO_NAME, *(f"{DEMO_NAME} {count}" for count in range(2, len(known) + 3)))
    name = next(name for name in names if id_of(name) not in known)
    cli.brief = True
    with cli.overriding(quiet=cli.json):
        cli.json = False
        _heading(cli, f"{name}: a session in {cli.store_path}")
        play_script(cli, lines, name)
        campaign = cli.campaign()
        _show_results(cli, campaign)
    if cli.json:
        head = campaign.head
        answers = {answer.question: str(answer.verdict) for answer in campaign.audit()}
        cli.data({"campaign": campaign.id, "actions": head.actions, "entries": head.entry, "audit": answers})
    open_next_session(campaign)


def open_next_session(campaign: Campaign) -> None:
    """Open a session after the one that was played, so that the first dice that somebody tries fall."""
    campaign.do("open-session", {})


def _show_results(cli: CliContext, campaign: Campaign) -> None:
    """What anybody can ask afterwards."""
    state = campaign.state
    _heading(cli, "rollbook audit")
    show_audit(cli, campaign.audit())
    _heading(cli, "rollbook sheet")
    players = [who for who in state.characters.values() if who.kind is CharacterKind.PLAYER_CHARACTER]
    sheets = [campaign.session.rulebook.sheet(who, state) for who in players]
    sheet.show_party(cli, sheets, campaign.session.rulebook.overview(state))
    _heading(cli, "rollbook log")
    undone = next(line for line in cli.book().read_model.log(campaign.id) if line.status == UNDONE)
    log.show_log(cli, [undone], {undone.corrected_by: campaign.seat(None)})
    _heading(cli, "rollbook xp")
    show_xp(cli, cli.book().read_model.xp(campaign.id), awards=False)
    _heading(cli, "The next session is open.")
    _heading(cli, f'Now you: rollbook play · rollbook log · rollbook why {players[0].id} "to hit"')


def _heading(cli: CliContext, text: str) -> None:
    cli.print(Text(text, style="bold cyan"))
