"""The addresses of portraits, for the pages on which characters are."""

from rollbook.adapters.web.pages.page import RequestContext
from rollbook.domain.state.campaign_state import CampaignState


def portraits_of(context: RequestContext, state: CampaignState) -> dict[str, str]:
    """The addresses of the portraits in a state of the requester's edition, by character."""
    return {who: f"{context.request.here}/pictures/{digest}" for who, digest in state.portraits.items()}
