"""The host's page: tables, links, sizes, limits, deleting a campaign, and a person in all of them; and self-service of GMs."""
