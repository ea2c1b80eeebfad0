"""Pictures of a campaign: experience, hit points through a fight, what the dice did, resources, and who hurt whom.

``pictures_of`` gathers their numbers, ``svg`` and ``text`` draw them, for a page and for a terminal. A picture of which there
is nothing to show is left out.
"""

from rollbook.projections.pictures.album import everything, pictures_of
from rollbook.projections.pictures.letters import text
from rollbook.projections.pictures.picture import Bar, Form, Kind, Picture, Series, written
from rollbook.projections.pictures.vector import STYLE, svg

__all__ = ["STYLE", "Bar", "Form", "Kind", "Picture", "Series", "everything", "pictures_of", "svg", "text", "written"]
