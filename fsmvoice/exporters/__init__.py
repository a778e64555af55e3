"""Machines in other forms."""
