"""How fast Almanac is, measured: `make bench`. What the numbers mean is in docs/scale.md."""
