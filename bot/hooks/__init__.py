"""Webhooks: a forge, or a `post-receive` of plain git, says that something was pushed, so that it is read at once."""
