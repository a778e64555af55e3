"""The framework's own phrases: a language is one file here and one line in `catalogue.py`."""
