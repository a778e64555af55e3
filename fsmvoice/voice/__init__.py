"""What is said: offers, replies, phrases."""
