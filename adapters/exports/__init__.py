"""Exporters: a campaign in a format that other people's programs open.

An exporter is a function that takes an ``ExportRequest`` and returns ``Exported``. The campaign that it is given holds
what the reader may see, with pseudonyms if they were asked for, so an exporter filters nothing itself. It is found by
its name among the entry points of the group ``rollbook.exporters``; rollbook's own formats come the same way. With
pseudonyms an export is first written to a private folder and searched for the names of people (``search_for_people``).
"""

import attrs

from rollbook.adapters.exports.exporter import Exported, Exporter, ExportRequest
from rollbook.adapters.plugins.entry_points import listed, load, origin
from rollbook.domain.base.errors import RollbookError, not_found

GROUP = "rollbook.exporters"
"""The group of entry points under which exporters are found."""


def exporters() -> tuple[str, ...]:
    """The names of the exporters that are installed; none is loaded."""
    return tuple(listed(GROUP))


def find_exporter(name: str, besides: tuple[str, ...] = ()) -> Exporter:
    """An exporter by its name. Raises NotFound with the nearest names, RollbookError if it cannot be used.

    ``besides`` are formats that are no exporters, to be named among the nearest.
    """
    known = listed(GROUP)
    if name not in known:
        raise not_found("format", name, [*known, *besides])
    called = f"The exporter {name!r}"
    write: Exporter = load(known[name], called)

    def checked(request: ExportRequest) -> Exported:
        exported = write(request)
        if not isinstance(exported, Exported):
            what = type(exported).__name__
            raise RollbookError(f"{called} ({origin(known[name][0])}) returns a {what}, not an Exported.")
        return exported

    def searched(request: ExportRequest) -> Exported:
        if not request.names.names:
            return checked(request)
        from rollbook.adapters.exports.search_for_people import check_nameless

        remarks = check_nameless(checked, request)
        exported = checked(request)
        return attrs.evolve(exported, remarks=(*exported.remarks, *remarks))

    return searched
