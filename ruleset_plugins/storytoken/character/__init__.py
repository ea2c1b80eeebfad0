"""Who a character is: abilities, heritage, roles and levels, and how characters are made."""
