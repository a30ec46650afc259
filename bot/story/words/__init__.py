"""Subjects in other words: the verb in the past, a whole sentence, a title. Pure."""
