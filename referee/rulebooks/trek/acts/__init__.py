"""What each action does when it is taken."""
