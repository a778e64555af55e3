"""The bridge: a machine as MCP tools and resources, independent of any SDK."""
