"""The study of the paper that introduced LIRE, repeated, and our studies beyond it."""
