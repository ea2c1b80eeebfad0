"""Sessions with their scenes and dice: committed to when a session opens, revealed when it closes."""

from collections.abc import Iterable, Mapping
from functools import partial

from rollbook.domain import events
from rollbook.domain.actions.characters import SCENE, SESSION, give_back
from rollbook.domain.actions.time_and_experience import advance
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.letters import caseless
from rollbook.domain.dice.record import RollCount
from rollbook.domain.dice.stream import SCHEME
from rollbook.domain.events import ParameterValue, Role
from rollbook.domain.history.secrecy import hidden_names, names_hidden_character
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import engine_parameter, label, number, words
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.encounters import WaitingScene


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
    """Begin a scene; a fight goes on in it."""

    sentence = "sets a new scene"

    title: str = label("where and what")

    def resolve(self, table: Table) -> None:
        """Begin it. Scenes that wait without a fight are over."""
        give_back(table, SCENE)
        _come_together(table)
        table.record(events.SceneFramed(title=self.title))


def _come_together(table: Table) -> None:
    """End the scenes that wait without a fight. In the latest of them it is as late as it is for all from now on."""
    over = [scene for scene in table.elsewhere if scene.encounter is None]
    table.record(*(events.SceneEnded(scene=scene.number) for scene in over))
    later = max((scene.clock for scene in over), default=0) - (table.clock if over else 0)
    if later > 0:
        advance(table, later)


class Meanwhile(Action, verb="meanwhile", gm_only=True):
    """Begin a scene while the one at hand waits, with its fight: the group is split."""

    sentence = "sets a scene that is played meanwhile"

    title: str = label("where and what")

    def resolve(self, table: Table) -> None:
        table.record(events.SceneSetAside(), events.SceneFramed(title=self.title))


class CutTo(Action, verb="cut-to", gm_only=True):
    """Go on with a scene that waits, and with its fight; the scene at hand waits instead."""

    sentence = "cuts to another scene"

    scene: str = words("which scene that waits: its title, its number, or somebody in its fight")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The number of the scene, which neither another title nor another name changes."""
        found = _meant(campaign, self.scene)
        return {"scene": str(found[0].number)} if len(found) == 1 else {}

    def check_taken(self, campaign: CampaignState, role: Role) -> None:  # noqa: ARG002
        """The table is told the title again."""
        hidden = hidden_names(campaign)
        if any(names_hidden_character(hidden, scene.title) for scene in _meant(campaign, self.scene)):
            raise Refused("The title of that scene names somebody who is hidden by now. Amend the title first.")

    def resolve(self, table: Table) -> None:
        if not table.elsewhere:
            table.refuse("No scene waits. The one at hand does, if another is begun with: meanwhile TITLE")
        found = _meant(table.campaign, self.scene)
        if len(found) != 1:
            known = " · ".join(f"{each.number} {each.title}".rstrip() for each in table.elsewhere)
            table.refuse(f"{self.scene!r} is not clear. The scenes that wait: {known}", "scene")
        table.record(events.SceneSetAside(), events.SceneResumed(scene=found[0].number, title=found[0].title))


def _meant(campaign: CampaignState, said: str) -> list[WaitingScene]:
    """The scenes that wait and may be meant: by number, title, a fighter's id or name, the fight's title, or a part of one."""
    said, waiting = caseless(said), campaign.elsewhere
    for named in (_number, _title, partial(_fighters, campaign), _fight):
        found = [scene for scene in waiting if said in named(scene)]
        if found:
            return found
    return [scene for scene in waiting if said and any(said in title for title in (*_title(scene), *_fight(scene)))]


def _title(scene: WaitingScene) -> Iterable[str]:
    return (caseless(scene.title),)


def _number(scene: WaitingScene) -> Iterable[str]:
    return (str(scene.number),)


def _fighters(campaign: CampaignState, scene: WaitingScene) -> Iterable[str]:
    order = scene.encounter.order if scene.encounter is not None else ()
    people = (campaign.characters[name] for name in order if name in campaign.characters)
    return [caseless(name) for who in people for name in (who.id, who.name)]


def _fight(scene: WaitingScene) -> Iterable[str]:
    return () if scene.encounter is None else (caseless(scene.encounter.title),)
