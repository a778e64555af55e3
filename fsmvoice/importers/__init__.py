"""Machines from other forms."""
