"""An entry as bytes, and back: codec, envelopes, upcasters. No input, no output."""
