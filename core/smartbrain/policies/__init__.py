"""The policies: pure functions and frozen objects, no I/O, no clock, no ids, no globals."""
