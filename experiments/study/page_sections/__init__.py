"""The parts of the page that take more than a paragraph."""
