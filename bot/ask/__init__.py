"""Words → a question → an answer. `reading.py` reads a question without a model, `queries.py` answers it from what its
reader may read, `people` says who is who."""
