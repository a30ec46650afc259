"""Which changes of a month stand together. Pure."""
