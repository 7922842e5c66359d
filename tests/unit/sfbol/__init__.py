"""The play-by-play of the closed online client."""
