"""Watches a Python web app from inside while it is under load. Nothing but the standard library is needed."""
