"""Machines of several domains, with the few templates that an author would write, whose hearing is measured."""
