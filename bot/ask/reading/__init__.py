"""A text → a Question, by what it names: words, people, places, times, kinds, then what is wanted of them. Pure."""
