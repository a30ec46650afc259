"""git → commits in the store: mirrors, the bytes of one `git log`, what is new. All git that the bot runs is here."""
