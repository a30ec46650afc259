"""The queries as tools of the Model Context Protocol: `almanac mcp` on standard input and output, and `POST /mcp` for
Slackbot. The SDK is imported here and nowhere else, and only where one of the two is wanted (docs/mcp.md)."""
