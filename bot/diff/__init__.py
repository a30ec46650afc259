"""What the diff of a commit tells that its message may not: ignored and removed tests, parts that only raise, the
changed lines of the product, and the lines that say most. Pure: `bot/index/diffs.py` reads diffs and keeps the facts.
"""
