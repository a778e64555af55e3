"""The class API: states, transitions, guards, hooks, and the machine that runs them."""
