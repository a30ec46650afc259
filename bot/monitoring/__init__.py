"""How the bot is doing, for machines that look after it: whether it is ready, and its metrics."""
