"""Books and campaigns of the toy, and links of seats."""

from tests.support.campaign_fixtures import book, campaign
from tests.support.seat_link_fixtures import clock, file_links, links

__all__ = ["book", "campaign", "clock", "file_links", "links"]
