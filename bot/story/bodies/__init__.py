"""What the bodies of commits say: why, with what effect, and what was measured. Pure."""
