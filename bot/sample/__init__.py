"""A sample history: a small team, two repositories and a private third one, over fourteen months up to now.

`history.txt` tells it and says at its top how it is written; `settings.toml` is an almanac.toml for it. Dates count
back from the present month, so that the demonstration always has a last month; the same month gives the same SHAs.
"""
