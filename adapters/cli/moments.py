"""Moments of a campaign as people type them, and the two ways to look at one: as it was known then, as corrected since."""

import re
from functools import wraps

import attrs
import click

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.parameters import Function
from adapters.storage.read_model import ReadModel
from adapters.timelines.marker import campaign_of, stream_of
from domain.dice.ledger import opened_session
from domain.errors import not_found
from domain.history import History
from domain.identifiers import ActionNumber, EntryNumber
from domain.state import CampaignState

NOW = "now"
_MOMENT = re.compile(
    r"""(?!$) (?:~(?P<timeline>[0-9]{1,12}) (?:$|:(?!$)))?
    (?:now | (?P<last>last) | s(?P<session>[0-9]{1,12}) | @(?P<entry>[0-9]{1,12}) | \#?(?P<action>[0-9]{1,12}))?""",
    re.VERBOSE,
)


@attrs.frozen(kw_only=True)
class Moment:
    """A point in a history, by the last entry and action before it: with the corrections made since, or as known then."""

    campaign: Campaign
    name: str
    entry: EntryNumber
    action: ActionNumber
    corrected: bool
    is_elsewhere: bool = False

    @property
    def called(self) -> str:
        """How a list names the moment."""
        called = self.title or NOW
        return f"{self.campaign.id} {called}" if self.is_elsewhere else called

    @property
    def title(self) -> str:
        """What is said of the moment beside a heading: nothing of now."""
        if self.is_now:
            return ""
        return f"after {self.name}, as corrected since" if self.corrected else f"as known at {self.name}"

    @property
    def is_now(self) -> bool:
        return self.name == NOW

    def state(self) -> CampaignState:
        """The campaign at the moment."""
        if self.is_now:
            return self.campaign.state
        return self.campaign.looking_back(
            lambda history: history.as_corrected_to(self.action) if self.corrected else history.as_known_at(self.entry)
        )

    def history(self) -> History:
        """What was recorded up to the moment; with corrections the whole history, whose later actions are to be left out."""
        if self.corrected or self.is_now:
            return self.campaign.load_history()
        return self.campaign.looking_back(lambda history: history.until(self.entry))

    def read_model(self, cli: CliContext) -> ReadModel:
        """What the log and the experience at the moment are read from; of a past moment it is made in memory."""
        if self.is_now and not self.is_elsewhere:
            cli.project()
            return cli.read_model
        entries = self.history().entries
        return self.campaign.read_model_of(entry for entry in entries if entry.action <= self.action)


def moment_of(cli: CliContext, text: str, *, corrected: bool) -> Moment:
    """The moment that is meant; ``~1:12`` is on a timeline, ``~0`` on canon. Raises NotFound if there is none like that."""
    meant = _MOMENT.fullmatch(text)
    assert meant is not None
    campaign, is_elsewhere = cli.campaign(), meant["timeline"] is not None
    if is_elsewhere:
        campaign = cli.book().campaign(stream_of(campaign_of(campaign.id), int(meant["timeline"])))
    name, entry, action = NOW, campaign.head.entry, campaign.head.actions
    if any(meant[group] for group in ("last", "session", "entry", "action")):
        with cli.wait("Reading the history …"):
            name, entry, action = campaign.looking_back(lambda history: _found(history, meant))
    return Moment(
        campaign=campaign, name=name, entry=entry, action=action, corrected=corrected, is_elsewhere=is_elsewhere
    )


def _found(history: History, meant: re.Match[str]) -> tuple[str, EntryNumber, ActionNumber]:
    """What a moment is called, its last entry and its last action."""
    if meant["session"]:
        return _end_of_session(history, int(meant["session"]))
    if meant["entry"]:
        entry = int(meant["entry"])
        if entry:
            history.entry(entry)
        return f"@{entry}", entry, history.actions_at(entry)
    action = history.actions if meant["last"] else int(meant["action"])
    return f"#{action}", history.entry_of(action), action


def _end_of_session(history: History, session: int) -> tuple[str, EntryNumber, ActionNumber]:
    opened = {opened_session(entry.events): action for action, entry in history.outcomes() if entry is not None}
    opened.pop(0, None)
    if session not in opened:
        raise not_found("session", str(session), map(str, opened))
    name = f"the end of session {session}"
    following = opened.get(session + 1)
    if following is None:
        return name, history.head, history.actions
    return name, history.entry_of(following) - 1, following - 1


def is_moment(text: str) -> bool:
    """Whether this is how a moment is written."""
    return _MOMENT.fullmatch(text) is not None


def moment_param(text: str) -> str:
    """A moment: ``12`` after an action, ``@47`` after an entry, ``s2`` at the end of a session, ``now``."""
    if not is_moment(text):
        raise click.BadParameter(
            f"{text!r} is not a moment: an action (12 or #12), an entry (@47), the end of a session (s2), last or now."
        )
    return text


def as_known_option(command: Function) -> Function:
    """``--as-known`` (the default) or ``--as-corrected``, for every command that looks at a past moment."""
    return click.option(
        "--as-corrected/--as-known",
        "corrected",
        default=False,
        help="A past moment with the corrections made since, or as it was known then (the default).",
    )(command)


def at_option(command: Function) -> Function:
    """``--at MOMENT`` with ``--as-known`` or ``--as-corrected``, handed to the command as ``moment``."""

    @wraps(command)
    def at_moment(cli: CliContext, /, *args: object, at: str, corrected: bool, **rest: object) -> object:
        return command(cli, *args, moment=moment_of(cli, at, corrected=corrected), **rest)

    return click.option(
        "--at",
        type=moment_param,
        metavar="MOMENT",
        default=NOW,
        help="Another moment: after action 12, after entry @47, at the end of session s2.",
    )(as_known_option(at_moment))
