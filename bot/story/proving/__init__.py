"""The checker: what a sentence says, held against its commits, and its grammar. Pure."""
