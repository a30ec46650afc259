"""Digests in Slack: made, changed, previewed and paused in windows."""
