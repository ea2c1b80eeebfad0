"""Task rolls: what is rolled for checks and saving throws, and what bears on it."""
