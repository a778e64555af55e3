"""Importers: machines from XState files and status graphs."""
