"""From the bytes of a file to its text and the blocks it is made of; one module a format."""
