"""The framework's own phrases. A language needs one module here and one line in `catalogue.py`."""
