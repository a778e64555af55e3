"""Sessions: run states that are kept between calls, in memory or in a database."""
