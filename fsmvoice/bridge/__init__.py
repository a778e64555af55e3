"""A machine as MCP tools and resources, free of any SDK."""
