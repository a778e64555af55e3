"""How a machine is asked for things, in the formats of other programs that hear."""
