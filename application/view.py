"""A campaign that is read: its state, and questions about it. Nothing can be recorded through it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from rollbook.application.playing.request import ActionRequest, Params, acting_seat, built
from rollbook.application.session import CampaignSession
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import RollbookError, not_found
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.rules.action import intent_of
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import find_character
from rollbook.projections.called_by_name import line_with_people
from rollbook.projections.session_log import Log

if TYPE_CHECKING:
    from rollbook.application.corrections import Preview
    from rollbook.application.history.head import Head
    from rollbook.application.history.read_model import EntryRows, LogRows
    from rollbook.domain.audit.answers import Answer
    from rollbook.domain.audit.receipts import Receipt
    from rollbook.domain.base.identifiers import CampaignId, CharacterId, SeatName
    from rollbook.domain.events import ParameterValue
    from rollbook.domain.forecast.chances import Forecast
    from rollbook.domain.history.history import History
    from rollbook.domain.rules.sheet import Sheet
    from rollbook.projections.luck import Report


@attrs.frozen(kw_only=True)
class Said(Record):
    """The answer to a line.

    ``entries`` are all that it recorded, ``text`` is what the prompt would print, and ``preview`` is that of a correction,
    applied unless the line says ``--preview``. ``warnings`` are the faults after the entries were recorded.
    """

    line: str
    text: str
    entries: tuple[RecordedEntry, ...] = ()
    preview: Preview | None = None
    warnings: tuple[str, ...] = ()

    @property
    def entry(self) -> RecordedEntry | None:
        """The action that was taken, or the correction itself among the entries of one; None if nothing was recorded."""
        corrections = (entry for entry in self.entries if entry.is_correction)
        return next(corrections, self.entries[0] if self.entries else None)


@attrs.frozen
class Trial(Record):
    """An action that was only tried out on entry ``base``: the campaign before and after it."""

    base: int
    before: CampaignState
    after: CampaignState


class CampaignView:
    """A campaign, or one of its timelines, as of the last command or ``refresh``.

    Nothing can be recorded through it. The ``session`` has the rest.
    """

    def __init__(self, session: CampaignSession) -> None:
        self.session = session
        self.id: CampaignId = session.id

    @property
    def head(self) -> Head:
        """The last entry and all that playing on needs."""
        return self.session.head

    @property
    def state(self) -> CampaignState:
        """The campaign as it is, with all corrections."""
        return self.session.state

    @property
    def history(self) -> History:
        """Every entry, as far as the history is whole: read and checked against the chain, unless it is in memory already."""
        return self.session.history.load()

    @property
    def read_model(self) -> LogRows:
        """The rows of its log and of its experience."""
        return self.session.read_model

    def log(self) -> Log:
        """The log with what was undone, what was replaced and the corrections themselves, as far as it may be seen here."""
        rows = self._rows_by_now()
        people = rows.people(self.id)
        return Log(line_with_people(line, people) for line in rows.log(self.id, everything=True))

    def _rows_by_now(self) -> LogRows:
        """The rows, with what was recorded since they were last asked for."""
        self.session.project()
        return self.read_model

    def rows_of(self, entries: Iterable[RecordedEntry]) -> EntryRows:
        """The log and the experience of some of its entries alone, in memory."""
        session = self.session
        return session.read_model.of_entries(
            self.id, entries, rulebook=session.rulebook, words_for_foes=session.words_for_foes
        )

    def refresh(self) -> Head:
        """Read what other processes have recorded since. Returns the head."""
        return self.session.refresh()

    def seat(self, name: SeatName | None) -> SeatName:
        """The seat that acts: the one named, or the GM's. Raises NotFound."""
        return acting_seat(self.state, name)

    def character_id(self, name: str) -> CharacterId:
        """The id of a character by id, name or an unambiguous beginning of either. Raises NotFound."""
        return find_character(self.state, name)

    def sheet(self, name: str, state: CampaignState | None = None) -> Sheet:
        """A character's sheet, now or at another moment. Raises NotFound."""
        moment = self.state if state is None else state
        return self.session.rulebook.sheet(moment.characters[find_character(moment, name)], moment)

    def receipt(self) -> Receipt:
        """The receipt that a player notes, to show later that nothing was changed."""
        from rollbook.domain.audit.receipts import receipt_of  # noqa: PLC0415 - few commands ask for one

        return receipt_of(self.id, self.head.shown, self.state.session)

    def audit(self) -> tuple[Answer, Answer, Answer]:
        """Chain, dice and rules: three answers."""
        from rollbook.application.audit import audit_of  # noqa: PLC0415 - few commands audit

        return audit_of(self.session)

    def stats(self, by: str = "seat") -> Report:
        """The rolls that may be seen here against their odds, in groups by seat, character, session or kind of roll."""
        from rollbook.projections.luck import BY, gather, report  # noqa: PLC0415 - few programs ask for odds

        if by not in BY:
            raise not_found("grouping", by, BY)
        self.refresh()
        return report(gather(self.history), by)

    def try_out(
        self, verb: str, params: Params | None = None, /, *, seat: SeatName | None = None, **more: ParameterValue
    ) -> Trial:
        """Try out an action without dice; nothing is stored. Raises what ``Campaign.do`` raises."""
        head, session = self.refresh(), self.session
        action = built(session.rulebook, head.state, verb, params, more)
        decided = session.turns.decide(head, ActionRequest(action, seat, ()))
        assert decided.state is not None
        return Trial(head.entry, head.state, decided.state)

    def odds(
        self,
        verb: str,
        params: Params | None = None,
        /,
        *,
        seat: SeatName | None = None,
        secret: bool = False,
        state: CampaignState | None = None,
        **more: ParameterValue,
    ) -> Forecast:
        """Forecast what may come of an action and how likely it is, now or on another ``state``; no die falls, nothing is stored.

        Raises what ``Campaign.do`` raises where the rules say no whatever falls, and TooMany if not every way can be counted out.
        """
        from rollbook.domain.forecast.search import forecast  # noqa: PLC0415 - few commands ask for odds
        from rollbook.projections.in_words import forecast_in_words  # noqa: PLC0415 - as above

        head, session = self.refresh(), self.session
        if state is not None:
            head = attrs.evolve(head, state=state)
        action = built(session.rulebook, head.state, verb, params, more)
        if isinstance(action, Adopt):
            action, _ = session.engine.filled_in(action, head)
        acting = "" if action.anonymous else acting_seat(head.state, seat)
        action = session.rulebook.speller(head.state, acting).spelled_action(action)
        found = forecast(session.rulebook, head.state, intent_of(action), seat=acting, secret=secret)
        return forecast_in_words(found, session.in_words)

    def ask(self, question: str) -> Said:
        """Answer a question that is typed as at the prompt. Raises Refused for a line that would record something."""
        return self._said(question)

    def _said(self, line: str, **how: str | None) -> Said:
        say_line = self.session.surroundings.say_line
        if say_line is None:
            raise RollbookError("This campaign was opened without what carries out lines. Open it with rollbook.open.")
        said: Said = say_line(self, line, **how)
        return said
