"""Chat logs as campaigns: the parts that importers of other programs' chats share."""
