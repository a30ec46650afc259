"""What the diff of a commit tells that its message may not: ignored tests, what a change file says, and the lines that
went and came. Pure: `bot/index/diffs.py` reads diffs.
"""
