"""The rows of the session log and of the XP timeline that an entry makes, and how a correction marks those before it."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, cast

from rollbook.domain.base.identifiers import ActionNumber, CampaignId
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import Event, ExperienceAwarded, LevelGained
from rollbook.domain.rulebook import Rulebook
from rollbook.projections.context import Context
from rollbook.projections.database import CORRECTION, COUNTS, REPLACED, UNDONE, Database
from rollbook.projections.log_lines import Teller
from rollbook.projections.session_log import TABLE as SESSION_LOG
from rollbook.projections.session_log import LogLine
from rollbook.projections.xp_timeline import TABLE as XP_TIMELINE
from rollbook.projections.xp_timeline import XpLine


class Told(NamedTuple):
    """The part of a log's line that follows from when its action is played: its place, and the session and scene then."""

    place: int
    before: ActionNumber
    session: int
    scene: str
    scene_number: int


def told_of(db: Database, campaign: CampaignId, entry: RecordedEntry, context: Context) -> Told:
    """The moment in which the action of an entry is played. An inserted one, about to be told, moves those after it."""
    told = Told(entry.action, entry.before, context.session, context.scene, context.scenes)
    if entry.kind is EntryKind.TAKEN:
        return told
    table = f"FROM {SESSION_LOG} WHERE campaign = ? AND "
    if not entry.before:
        known = db.execute(f"SELECT place, before {table} action = ? LIMIT 1", [campaign, entry.action]).fetchone()
        return told._replace(place=known[0], before=known[1]) if known else told
    following = f"SELECT place {table} (action = ? OR action > ? AND before = 0) ORDER BY action LIMIT 1"
    found = db.execute(following, [campaign, entry.before, entry.before]).fetchone()
    if found is None:
        return told
    (place,) = found
    for moved in (SESSION_LOG, XP_TIMELINE):
        shifted = f"UPDATE {moved} SET place = place + 1 WHERE campaign = ? AND place >= ?"  # noqa: S608 - constants
        db.execute(shifted, [campaign, place])
    when = f"SELECT session, scene, scene_number {table} place < ? ORDER BY place DESC, entry LIMIT 1"
    then = db.execute(when, [campaign, place]).fetchone() or told[2:]
    return Told(place, entry.before, *then)


def row(
    campaign: CampaignId, entry: RecordedEntry, context: Context, rulebook: Rulebook | None, told: Told | None = None
) -> LogLine:
    """The row of one entry as it is made, in the words of the ``rulebook``; ``told`` of an action that was corrected.

    Without ``rulebook``, the columns of ``WORDED`` are left empty.
    """
    place, before, session, scene, scenes = told or (
        *(entry.action, entry.before),
        *(context.session, context.scene, context.scenes),
    )
    who, what, dice, result, success, actor, targets = worded(entry, context, rulebook) if rulebook else UNWORDED
    fields = (
        campaign,
        entry.number,
        entry.action,
        entry.revision,
        session,
        scene,
        entry.seat,
        entry.at,
        entry.intent.verb if entry.is_outcome else "undo" if entry.kind is EntryKind.UNDONE else "redo",
        who,
        what,
        dice,
        result,
        success,
        COUNTS if entry.is_outcome else CORRECTION,  # status
        entry.reason,
        0,  # corrected_by
        "",  # why
        entry.causation,  # because
        entry.visibility,
        entry.provenance,
        scenes,  # scene_number
        actor,
        targets,
        _kinds(tuple([event.__class__ for event in entry.events])),
        place,
        before,
    )
    return _LINE(LogLine, fields)


Worded = tuple[str, str, str, str, int, str, str]
"""The values of the columns ``WORDED``."""
UNWORDED: Worded = ("", "", "", "", 0, "", "")


def worded(entry: RecordedEntry, context: Context, rulebook: Rulebook) -> Worded:
    """The words of the row of an entry, with the names that the context has after it."""
    text = Teller(context.shown_names, rulebook, context.foes, context.seats).text(entry)
    actor, targets = _known(text.actors, context), _known(text.targets, context)
    return text.who, text.what, text.dice, text.result, text.success, actor, targets


# Bypasses the checks of ``__new__``, which would take a twentieth of the time of a rebuild.
_LINE = cast("Callable[[type[LogLine], tuple[object, ...]], LogLine]", tuple.__new__)


@lru_cache(maxsize=4_096)
def _kinds(classes: tuple[type[Event], ...]) -> str:
    """Kinds of events, each once; the same few sequences come again and again."""
    return _listed(dict.fromkeys(cls.__name__.casefold() for cls in classes))


def _known(ids: Iterable[str], context: Context) -> str:
    names = context.names
    return _listed([word for name in ids for word in (name, names.get(name, "")) if word])


def _listed(words: Iterable[str]) -> str:
    inside = "|".join(words)
    return f"|{inside}|" if inside else ""


def xp_rows(campaign: CampaignId, entry: RecordedEntry, context: Context, told: Told) -> list[XpLine]:
    """The rows of the XP timeline, if an entry awards anything."""
    return [
        XpLine(
            campaign=campaign,
            entry=entry.number,
            part=part,
            action=entry.action,
            revision=entry.revision,
            session=told.session,
            at=entry.at,
            character=event.character,
            name=context.shown_names.get(event.character, event.character),
            xp=event.amount if isinstance(event, ExperienceAwarded) else 0,
            levels=event.levels if isinstance(event, LevelGained) else 0,
            reason=event.reason if isinstance(event, ExperienceAwarded) else "",
            status=COUNTS,
            place=told.place,
        )
        for part, event in enumerate(entry.events)
        if isinstance(event, (ExperienceAwarded, LevelGained))
    ]


def mark_corrected(
    db: Database, table: str, campaign: CampaignId, entry: RecordedEntry, *, is_noted: bool = False
) -> None:
    """Mark the rows of the action that a correction is about; the correction's own rows must not be in the table yet.

    ``is_noted``: the table says by which entry a row was corrected, and why.
    """
    status = UNDONE if entry.kind is EntryKind.UNDONE else REPLACED
    note, values = (", corrected_by = ?, why = ?", [entry.number, entry.reason]) if is_noted else ("", [])
    rows = f"UPDATE {table} SET status = ?{{}} WHERE campaign = ? AND action = ? AND "  # noqa: S608 - names from the code
    db.execute(rows.format(note) + "status = 'counts'", [status, *values, campaign, entry.action])
    if status == REPLACED:
        db.execute(rows.format("") + "status = 'undone'", [status, campaign, entry.action])
    if entry.kind is EntryKind.REDONE:
        values = [0, ""] if is_noted else []
        where = "revision = ? AND status != 'correction'"
        db.execute(rows.format(note) + where, [COUNTS, *values, campaign, entry.action, entry.restores])
