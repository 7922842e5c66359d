"""Node, for what is written in JavaScript."""

from __future__ import annotations

import os
import shutil

import pytest

NODE = shutil.which("node")
NODE_REQUIRED = any(
    os.environ.get(name, "").lower() not in ("", "0", "false") for name in ("CI", "NODE_REQUIRED")
)
"""Where every change is tested a missing Node is a failure."""
needs_node = pytest.mark.skipif(NODE is None and not NODE_REQUIRED, reason="Node is not installed")
