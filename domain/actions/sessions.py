"""Sessions with their scenes and dice: committed to when a session opens, revealed when it closes."""

from rollbook.domain import events
from rollbook.domain.actions.characters import SCENE, SESSION, give_back
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.record import RollCount
from rollbook.domain.dice.stream import SCHEME
from rollbook.domain.events import Role
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import engine_parameter, label, number, words
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState


class OpenSession(Action, verb="open-session", gm_only=True, final=True):
    """Open a session: the dice are committed to before anybody rolls one."""

    sentence = "opens the session"

    title: str = label("what the session is called", default="")
    identity: str = engine_parameter(
        ParameterType.TEXT, "the session's 16 bytes, made of the campaign's identity and the nonce, in hexadecimal"
    )
    nonce: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")
    commit_table: str = engine_parameter(ParameterType.TEXT, "the commitment to the open dice")
    commit_screen: str = engine_parameter(ParameterType.TEXT, "the commitment to the GM's secret dice")

    def resolve(self, table: Table) -> None:
        """A new session, if none is open; the ruleset may hand out what a session starts with."""
        last = table.session
        if last is not None and last.is_open:
            table.refuse(f"Session {last.number} is still open. Close it first: rollbook do close-session")
        table.record(
            events.SessionOpened(
                session=last.number + 1 if last else 1,
                title=self.title,
                identity=self.identity,
                nonce=self.nonce,
                scheme=SCHEME,
                commit_table=self.commit_table,
                commit_screen=self.commit_screen,
            )
        )
        if table.ruleset is not None:
            table.ruleset.session_opened(table)


def _open_session(table: Table) -> int:
    session = table.session
    if session is None or not session.is_open:
        table.refuse("No session is open. Open one first: rollbook do open-session")
    return session.number


def _counts(rows: tuple[RollCount, ...]) -> tuple[RollCount, ...]:
    """Counts of rolls; of an action that is played again they are plain rows."""
    return tuple(RollCount(*row) for row in rows)


class AddEntropy(Action, verb="entropy", final=True, by_any_seat=True):
    """Mix a line of a player's own into the session's dice, before the first of them is rolled."""

    sentence = "adds words to the dice"

    text: str = words("anything: a few rolls of real dice, a line from a song", gm_only=False)

    def check_taken(self, campaign: CampaignState, role: Role) -> None:
        """The last line before the first die is a player's: who knows the seeds could choose a line after it."""
        players = {seat.number for seat in campaign.seats.values() if seat.role is Role.PLAYER}
        lines = campaign.session.entropy if campaign.session else ()
        if role is not Role.PLAYER and not players.isdisjoint(number for number, _ in lines):
            raise Refused(
                "A player has mixed in a line, and after that only players do: the last line before the first die is theirs."
            )

    def resolve(self, table: Table) -> None:
        session = _open_session(table)
        sitting = table.seats.get(table.seat)
        table.record(events.EntropyAdded(session=session, number=sitting.number if sitting else 0, text=self.text))


class CloseSession(Action, verb="close-session", gm_only=True, final=True):
    """Close the session: the seed of the open dice is revealed, so that anybody can check them."""

    sentence = "closes the session"

    seed: str = engine_parameter(ParameterType.TEXT, "the seed of the open dice, in hexadecimal", default="")
    counts: tuple[RollCount, ...] = engine_parameter(
        ParameterType.ROWS, "how many open rolls each seat has used", default=()
    )

    def resolve(self, table: Table) -> None:
        session = _open_session(table)
        if table.ruleset is not None:
            table.ruleset.session_closed(table)
        give_back(table, SCENE, SESSION)
        if self.seed:
            table.record(events.DiceRevealed(session=session, seed=self.seed))
        table.record(events.SessionClosed(session=session, counts=_counts(self.counts)))


class RevealScreen(Action, verb="reveal-screen", gm_only=True, final=True):
    """Reveal the seed of a past session's secret dice."""

    sentence = "reveals the secret dice[ of session {session}]"

    session: int = number("the session's number", minimum=1)
    seed: str = engine_parameter(ParameterType.TEXT, "the seed of the secret dice, in hexadecimal")
    counts: tuple[RollCount, ...] = engine_parameter(
        ParameterType.ROWS, "how many secret rolls each seat has used", default=()
    )

    def resolve(self, table: Table) -> None:
        """Only after the session is closed; only now does anybody learn how many secret rolls there were."""
        last = table.session
        if last is None or self.session > last.number or (self.session == last.number and last.is_open):
            table.refuse(f"Session {self.session} is not closed, so its secret dice stay secret.", parameter="session")
        table.record(events.DiceRevealed(session=self.session, seed=self.seed, screen=True))
        if self.counts:
            table.record(events.ScreenCounted(session=self.session, counts=_counts(self.counts)))


class FrameScene(Action, verb="scene", gm_only=True):
    """Begin a scene."""

    sentence = "sets a new scene"

    title: str = label("where and what")

    def resolve(self, table: Table) -> None:
        give_back(table, SCENE)
        table.record(events.SceneFramed(title=self.title))
