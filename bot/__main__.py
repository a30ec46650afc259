"""`python -m bot` is the `almanac` command."""

from bot.cli import main

main()
