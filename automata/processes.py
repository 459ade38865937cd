"""Other processes of this machine."""

from __future__ import annotations

import os


def is_running(number: int) -> bool:
    """Whether there is a process of a number, of any user."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
