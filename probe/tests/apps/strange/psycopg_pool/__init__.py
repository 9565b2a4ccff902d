"""Another library of the same name."""
