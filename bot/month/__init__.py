"""Commits → facts: months and their bounds, who is who, which commits are one change, its kind and state, and every
number that is said. Pure."""
