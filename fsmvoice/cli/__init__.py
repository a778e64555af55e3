"""The command line interface, `fsmvoice`."""
