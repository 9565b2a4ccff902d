"""The apps of the published reports, written anew: each module here is served alone, and README.md says how.

What several of them share is in `parts`. The endpoints of Pena's report are those of `app.asgi:app`.
"""
