"""Screens: what a person can tap, as data, and the web page and MCP App that show it."""
