"""Words that mean the same in every conversation, a file a language."""
