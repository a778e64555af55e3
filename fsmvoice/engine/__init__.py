"""The statechart engine: one kernel, its drivers, its actors."""
