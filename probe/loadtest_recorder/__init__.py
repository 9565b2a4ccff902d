"""Runs the tests of a repository and notes the requests that they send to its app, and the rows that they make."""
