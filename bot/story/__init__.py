"""Facts → words: what stands where, in the authors' own words (`quoting.py`), and the document that templates are
given. Pure, but for `llm`, which asks a model where one is set."""
