"""What the apps of the reports share. Nothing in here can be served."""
