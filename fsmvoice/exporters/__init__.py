"""Exporters: machines as diagrams and as XState documents."""
