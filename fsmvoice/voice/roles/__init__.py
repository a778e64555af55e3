"""Phrases with the same meaning in every conversation, such as "yes" or "help"; one module for each language."""
