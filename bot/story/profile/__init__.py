"""A whole history in a paragraph, its themes and repositories. Pure."""
