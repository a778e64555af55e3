"""What a machine looks like: screens, and the page."""
