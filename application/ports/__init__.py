"""What the use cases ask of the outside: seeds, links, rules in force, clock, address of a store."""
