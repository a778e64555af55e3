"""The data model: configs, the functions they name, contexts, payloads, and compiled charts."""
