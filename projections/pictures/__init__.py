"""Pictures of a campaign: experience, hit points through a fight, what the dice did, resources, and who hurt whom.

``pictures_of`` gathers their numbers, ``svg`` and ``text`` draw them, for a page and for a terminal. A picture of which there
is nothing to show is left out.
"""

from projections.pictures.album import everything, pictures_of
from projections.pictures.letters import text
from projections.pictures.picture import Bar, Form, Kind, Picture, Series, written
from projections.pictures.vector import STYLE, svg

__all__ = ["STYLE", "Bar", "Form", "Kind", "Picture", "Series", "everything", "pictures_of", "svg", "text", "written"]
