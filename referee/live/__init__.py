"""What stays open: the table screen, a watched folder, a seat in a room."""
