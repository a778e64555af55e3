"""A machine as data: its config, its functions, its contexts and payloads."""
