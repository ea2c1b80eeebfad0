"""Limits that a host sets: how many tables, and how many entries each of them may have."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing

import attrs

from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.ports.seed_store import StoreSecrets, TableNotes
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, StreamId
from rollbook.domain.base.records import Record
from rollbook.domain.entries import Entry, EntryKind

WHOLE = ""
"""The name under which the notes of a host are, which are about no campaign."""
KNOWN = 2.0
"""Seconds for which a limit that was read counts at a node."""
ENDING = frozenset(
    (
        *("x-card", "withdraw-x-card", "after-x-card", "redact"),
        *("close-session", "reveal-screen", "leave-seat", "rename-seat"),
    )
)
"""The verbs that a table at its limit still takes: they end something, remove it, or keep people safe."""


@attrs.frozen(kw_only=True)
class HostSettings(Record):
    """Limits that a host sets; 0 stands for no limit, and for no self-service.

    The holder of a GM's seat may begin ``self_service`` campaigns. ``most_tables`` is for the whole store. No campaign may have
    more than ``most_entries``, but for those named in ``entries_of``, which have a limit of their own. ``begun`` counts the
    campaigns that each seat has begun.
    """

    self_service: int = 0
    most_tables: int = 0
    most_entries: int = 0
    entries_of: Mapping[str, int] = attrs.field(factory=dict)
    begun: Mapping[str, int] = attrs.field(factory=dict)

    def limit_of(self, campaign: CampaignId) -> int:
        """The entries that a campaign may have, 0 for any number."""
        return self.entries_of.get(campaign, self.most_entries)


def settings_of(notes: TableNotes) -> HostSettings:
    """The settings in the notes of a host; the usual ones if there are none that can be read."""
    return _read(notes.read(WHOLE))


def change_settings(notes: TableNotes, changed: Callable[[HostSettings], HostSettings]) -> None:
    """Change the settings in the notes of a host. Raises what ``changed`` raises; then nothing is changed."""
    notes.change(WHOLE, lambda text: json.dumps(attrs.asdict(changed(_read(text)))))


def limit_entries(notes: TableNotes, campaign: CampaignId, most: int | None) -> None:
    """Give a campaign a limit of its own (0: none), or with None that of all."""

    def changed(settings: HostSettings) -> HostSettings:
        others = {name: limit for name, limit in settings.entries_of.items() if name != campaign}
        return attrs.evolve(settings, entries_of=others if most is None else {**others, campaign: most})

    change_settings(notes, changed)


def _read(text: str) -> HostSettings:
    if not text:
        return HostSettings()
    import cattrs

    try:
        return cattrs.structure(json.loads(text), HostSettings)
    except (ValueError, RecursionError, TypeError, cattrs.BaseValidationError):
        return HostSettings()


class EntryQuota:
    """The entries that campaigns may have, asked before each is stored. A change of it counts at every node within seconds."""

    def __init__(self, secrets: StoreSecrets, now: Callable[[], float] = time.monotonic) -> None:
        self._secrets = secrets
        self._now = now
        self._settings = HostSettings()
        self._read_at: float | None = None

    def check(self, stream: StreamId, head: EntryNumber, proposals: Iterable[Entry]) -> None:
        """Raise Refused if entries would be more than a stream may have: of a timeline, with those before its fork.

        What ends something is taken all the same, and does not end it twice: what is undone is not redone, nothing is opened.
        """
        new = tuple(proposals)
        if _ends(new):
            return
        limit = self._limit_of(campaign_of(stream))
        if 0 < limit < head + len(new):
            what = f"{stream} has {head:,} entries, and the host allows {limit:,}, so nothing was recorded."
            raise Refused(f"{what} Undoing, closing a session and the X-card still work. {self._whom_to_ask()}")

    def _limit_of(self, campaign: CampaignId) -> int:
        now = self._now()
        if self._read_at is None or now - self._read_at > KNOWN:
            try:
                self._settings, self._read_at = settings_of(self._secrets.host_notes()), now
            except RollbookError:  # what was known holds; a store that is away refuses by itself
                self._read_at = None
        return self._settings.limit_of(campaign)

    def _whom_to_ask(self) -> str:
        try:
            with closing(self._secrets.links()) as links:
                hosts = {link.seat: None for link in links.of(WHOLE, WHOLE) if link.is_of_hosts_page and link.is_good}
        except RollbookError:
            hosts = {}
        return f"Ask the host for more: {', '.join(hosts)}." if hosts else "Ask the host for more."


def _ends(new: tuple[Entry, ...]) -> bool:
    """True if all entries of one command end something: an undoing with what follows from it, or verbs that end."""
    begins = any(entry.intent.verb in ENDING or entry.kind is EntryKind.UNDONE for entry in new[:1])
    return begins and all(entry.intent.verb in ENDING for entry in new if entry.kind is EntryKind.TAKEN)
