"""Moments of a campaign as people type them, and the two ways to look at one: as it was known then, as corrected since."""

import re
from collections.abc import Callable

import attrs
import click

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.timelines.marker import campaign_of, stream_of
from domain.dice.ledger import opened_session
from domain.entries import EntryKind
from domain.errors import not_found
from domain.history import History
from domain.identifiers import ActionNumber, EntryNumber
from domain.state import CampaignState
from projections.numbers import action_number, entry_number

NOW, LAST = "now", "last"
_SESSION = re.compile(r"s([0-9]{1,12})")
_ELSEWHERE = re.compile(r"~(?P<timeline>[0-9]{1,12})(?::(?P<moment>.+))?")


@attrs.frozen
class Moment:
    """A point in a history: the last entry and the last action before it."""

    name: str
    entry: EntryNumber
    action: ActionNumber

    def called(self, *, corrected: bool) -> str:
        """How a view names the moment."""
        return f"after {self.name}, as corrected since" if corrected else f"as known at {self.name}"

    def state(self, history: History, *, corrected: bool) -> CampaignState:
        """The campaign at the moment, with later corrections or without them."""
        return history.as_corrected_to(self.action) if corrected else history.as_known_at(self.entry)


def is_moment(text: str) -> bool:
    """Whether this is how a moment is written."""
    elsewhere = _ELSEWHERE.fullmatch(text)
    text = (elsewhere["moment"] or NOW) if elsewhere else text
    is_number = action_number(text) is not None or entry_number(text) is not None
    return text in (NOW, LAST) or is_number or _SESSION.fullmatch(text) is not None


def moment_of(history: History, text: str) -> Moment:
    """The moment that is meant. Raises NotFound for an action, an entry or a session that there is not."""
    session = _SESSION.fullmatch(text)
    if session is not None:
        return _end_of_session(history, int(session[1]))
    entry = history.head if text == NOW else entry_number(text)
    if entry is not None:
        if entry:
            history.entry(entry)
        taken = sum(one.kind is EntryKind.TAKEN for one in history.entries[:entry])
        return Moment(NOW if text == NOW else f"@{entry}", entry, taken)
    action = history.actions if text == LAST else action_number(text)
    assert action is not None
    return Moment(f"#{action}", history.revisions(action)[0].number, action)


def _end_of_session(history: History, session: int) -> Moment:
    opened = {opened_session(entry.events): action for action, entry in history.outcomes() if entry is not None}
    opened.pop(0, None)
    if session not in opened:
        raise not_found("session", str(session), map(str, opened))
    name = f"the end of session {session}"
    following = opened.get(session + 1)
    if following is None:
        return Moment(name, history.head, history.actions)
    return Moment(name, history.revisions(following)[0].number - 1, following - 1)


def state_at(cli: CliContext, text: str, *, corrected: bool) -> tuple[str, CampaignState]:
    """How a moment is called, and the campaign then; ``~1:12`` is on a timeline, ``~0`` on canon."""
    campaign = cli.campaign()
    elsewhere = _ELSEWHERE.fullmatch(text)
    if elsewhere is not None:
        campaign = cli.book().campaign(stream_of(campaign_of(campaign.id), int(elsewhere["timeline"])))
        text = elsewhere["moment"] or NOW
    called, state = _state_of(campaign, text, corrected=corrected)
    return (f"{campaign.id} {called}" if elsewhere else called), state


def _state_of(campaign: Campaign, text: str, *, corrected: bool) -> tuple[str, CampaignState]:
    if text == NOW:
        return NOW, campaign.state
    history = campaign.load_history()
    moment = moment_of(history, text)
    return moment.called(corrected=corrected), moment.state(history, corrected=corrected)


class MomentParam(click.ParamType[str]):
    """A moment: ``12`` after an action, ``@47`` after an entry, ``s2`` at the end of a session, ``now``."""

    name = "moment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text, if a moment can be written so."""
        text = str(value)
        if not is_moment(text):
            self.fail(
                f"{value!r} is not a moment: an action (12 or #12), an entry (@47), the end of a session (s2), {LAST} or {NOW}.",
                param,
                ctx,
            )
        return text


MOMENT = MomentParam()
Command = Callable[..., object]


def at_option(help_text: str) -> Callable[[Command], Command]:
    """``--at MOMENT``."""
    return click.option("--at", type=MOMENT, metavar="MOMENT", help=help_text)


def as_known_option(command: Command) -> Command:
    """``--as-known`` (the default) or ``--as-corrected``."""
    return click.option(
        "--as-corrected/--as-known",
        "corrected",
        default=False,
        help="A past moment with the corrections made since, or as it was known then (the default).",
    )(command)
