"""Words → a Question: what people type, and what is asked back where it does not fit. Pure.

`question.parse_question` is the door; the rest are its steps.
"""
