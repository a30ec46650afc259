"""Digests in Slack: made, changed, previewed and paused in windows, and seen by each person first."""
