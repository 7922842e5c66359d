"""The published cases, and the protocol by which any program is measured by them."""
