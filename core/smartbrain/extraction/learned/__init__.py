"""The clause classifier: a small trained model that reads what people say beside the rules (docs/extraction.md)."""
