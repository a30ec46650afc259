"""App Home: what is known → the view, and what is pressed in it."""
