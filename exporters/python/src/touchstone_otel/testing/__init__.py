"""Functions as the app of tests: a plugin for pytest."""
