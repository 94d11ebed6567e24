"""Tests by webhook: the app's side."""
