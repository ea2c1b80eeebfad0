"""By what campaigns, actions, entries and those who take part are called (docs/words.md)."""

from typing import TypeAlias

StreamId: TypeAlias = str
"""The name of a campaign's or a timeline's entries in a store: ``sherwood``, ``sherwood~1``."""

CampaignId: TypeAlias = StreamId
"""The name of a campaign, or of a timeline that is played as one."""

ActionNumber: TypeAlias = int
"""Counts the actions of a campaign from 1; people write #12. A correction keeps the number of the action it corrects."""

EntryNumber: TypeAlias = int
"""Counts the entries of a history from 1; people write @47. In a stream it is the entry's version."""

CharacterId: TypeAlias = str
"""By what a character is typed and stored: ``robin-hood``."""

SeatName: TypeAlias = str
"""The name of a seat."""

GROUP = "rollbook.rulesets"
"""The group of entry points under which rulesets are found."""
