"""What the bot knows of Slack: who may see what (`audience.py`), answers as blocks within its limits, and the one
sender of all that is said."""
