"""Request to an exporter, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from rollbook.domain.base.identifiers import EntryNumber, SeatName
from rollbook.domain.base.progress import say, told
from rollbook.projections.called_by_name import line_with_people

if TYPE_CHECKING:
    from rollbook.application.view import CampaignView
    from rollbook.application.visibility.pseudonyms import Pseudonyms
    from rollbook.domain.entries import RecordedEntry
    from rollbook.projections.context import Context
    from rollbook.projections.session_log import LogLine

WHOLE = "gm"
"""The reader who sees everything."""


def everything(_: RecordedEntry) -> bool:
    """Filter that wants every entry."""
    return True


def unheard(_: bytes) -> None:
    """Sink that drops the texts of a file."""


@attrs.frozen(kw_only=True)
class ExportRequest:
    """Request to write a campaign for a reader.

    ``campaign`` is as the ``reader`` ("gm", "table" or "player:mira") may see it: ask its ``history``, ``state``,
    ``sheet()`` and ``log()``. ``target`` is a file or a folder, as the format wants. ``wanted`` says which entries it is
    about: one session, what fits a filter, or all. ``names`` are the pseudonyms of people, which the campaign has
    already. ``pictures`` is a folder of them, by character. ``says`` gets the texts of a file whose bytes cannot be
    searched for them, such as a PDF: without them, none is written with pseudonyms.
    """

    campaign: CampaignView
    target: Path
    reader: str
    names: Pseudonyms
    wanted: Callable[[RecordedEntry], bool] = everything
    pictures: Path | None = None
    overwrite: bool = False
    says: Callable[[bytes], None] = unheard

    def entries(self) -> Iterator[RecordedEntry]:
        """The entries that are wanted, in their order; progress is reported on the way."""
        history = self.campaign.history
        return filter(self.wanted, told(history.entries, lambda: history.head))

    def picture(self, digest: str) -> bytes | None:
        """The bytes of a picture that the reader may see; with pseudonyms there are none, as faces are people's own."""
        if self.names.names:
            return None
        from rollbook.application.pictures import picture_of

        return picture_of(self.campaign.session.log.store, self.campaign.id, digest)

    @property
    def notices(self) -> tuple[str, ...]:
        """Paragraphs to be told with the material of the games that were played."""
        return self.campaign.session.rulebook.notices(self.campaign.state)

    def in_context(self) -> Iterator[tuple[RecordedEntry, Context]]:
        """The wanted entries, each with its context (session, scene, names): one value that moves on with them."""
        from rollbook.projections.context import Context

        context, history = Context(), self.campaign.history
        for entry in told(history.entries, lambda: history.head):
            context.follow(entry)
            if self.wanted(entry):
                yield entry, context

    def lines(self) -> list[LogLine]:
        """The lines of the session log that are wanted, corrections and what they corrected too, in the order of the entries."""
        numbers = self.numbers()
        campaign, people = self.campaign, self.people
        lines = campaign.read_model.log(campaign.id, everything=True)
        return [line_with_people(line, people) for line in lines if line.entry in numbers]

    @cached_property
    def people(self) -> Mapping[SeatName, str]:
        """The names of all who ever sat at the table, by the name that their seat is stored under."""
        campaign = self.campaign
        return {**campaign.state.names_of_seats, **campaign.read_model.people(campaign.id)}

    def numbers(self) -> frozenset[EntryNumber]:
        """The numbers of the wanted entries, by which lines of the log and of experience are chosen."""
        return frozenset(entry.number for entry in self.entries())

    def for_reader(self, gm: str, table: str, player: str) -> str:
        """One of three texts, by who the reader is; ``{}`` in that of a player stands for the seat."""
        seat = self.reader.removeprefix("player:")
        return {WHOLE: gm, "table": table}.get(self.reader) or player.format(self.people.get(seat, seat))

    def progress(self, done: int, whole: int) -> None:
        """Report to the caller how much is done, of how much."""
        say(done, whole)

    def write(self, pieces: Iterable[bytes], *, marks: tuple[bytes, ...]) -> None:
        """Write ``target``, all of it or none. It begins with one of the ``marks``, by which an earlier one is known.

        Raises RollbookError, also if anything else has that name, or an earlier export and ``overwrite`` is off.
        """
        from rollbook.adapters.exports.files import write
        from rollbook.adapters.local_files.own_files import begins_with

        write(self.target, pieces, begins_with(*marks), overwrite=self.overwrite)


def seen_by(campaign: CampaignView, seat: str | None) -> CampaignView:
    """The campaign as a seat may see it, "" for the table; None sees all of it."""
    from rollbook.application.visibility.editions.edition import Edition

    return campaign if seat is None else Edition(campaign, seat)


def request_for(
    seen: CampaignView, whole: CampaignView, seat: str | None, target: Path, *, pseudonyms: bool = False, **more: Any
) -> ExportRequest:
    """The request for what a seat has ``seen`` of a ``whole`` campaign; ``more`` are other fields of it."""
    from rollbook.application.visibility.editions.edition import Edition
    from rollbook.application.visibility.pseudonyms import Pseudonyms

    names = Pseudonyms.of(seen.history.entries, whole.session.rulebook) if pseudonyms else Pseudonyms()
    reader = WHOLE if seat is None else f"player:{names.person(seat)}" if seat else "table"
    campaign = Edition(whole, seat, names) if pseudonyms else seen
    return ExportRequest(campaign=campaign, target=target, reader=reader, names=names, **more)


@attrs.frozen(kw_only=True)
class Exported:
    """Result of an export: ``entries`` counts its entries, ``remarks`` are sentences that are shown after it."""

    path: Path
    entries: int
    remarks: tuple[str, ...] = ()


Exporter: TypeAlias = Callable[[ExportRequest], Exported]
"""Function that writes a campaign. Raises RollbookError if it cannot; then nothing of it is left behind."""
