"""Files of this computer beside a store: seeds, links, lines of the prompt, folders."""
