"""Where events and memory are kept."""
