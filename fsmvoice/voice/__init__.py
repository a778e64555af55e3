"""Speech: offers, replies and their phrases, hearing, and exports for other speech systems."""
