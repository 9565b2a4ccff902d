"""The app that the load tests are tried on: each endpoint is one way to wait, to query or to compute."""
