"""The study of the paper that introduced LIRE, run anew, and what lies beyond it."""
