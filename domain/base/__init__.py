"""What everything else is made of: identifiers, errors, records, letters."""
