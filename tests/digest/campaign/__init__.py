"""Nothing is here any more; the settings of the type checker name the folder until the next change of packages."""
