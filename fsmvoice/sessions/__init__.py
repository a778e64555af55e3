"""Run states kept between calls."""
