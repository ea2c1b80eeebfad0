"""Books and campaigns of the toy."""

from tests.support.campaign_fixtures import book, campaign

__all__ = ["book", "campaign"]
