"""From a turn to candidates: structured entries and rules."""
