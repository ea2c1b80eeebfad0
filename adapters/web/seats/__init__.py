"""Who sits there: links, the cookies that they become, and who asks."""
