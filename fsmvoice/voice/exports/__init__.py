"""Exports of a machine's utterances for other speech systems."""
