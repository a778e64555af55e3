"""Declare a conversation once, as a state machine, and let people speak it or tap it."""
