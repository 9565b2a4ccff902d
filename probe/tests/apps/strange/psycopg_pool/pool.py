"""Has nothing of what the probe knows."""
