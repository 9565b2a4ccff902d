"""The app that our load tests measure: each endpoint is one way to wait, to query or to compute."""
