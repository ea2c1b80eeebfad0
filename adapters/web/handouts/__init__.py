"""Talk, whispers, handouts and portraits: what people say and show to each other beside what their characters do."""
