"""``python -m scenewright`` and the ``scenewright`` console script."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn


def console_main() -> NoReturn:
    """Run the command line as a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # during the imports Ctrl-C ends it, as a signal and without a word
    from .cli import main

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # counts within `main` only: behind it all is done
    code = main(sys.argv[1:])
    # bpy's own clean-up at interpreter exit may crash (4.2) and has nothing left to do for us.
    os._exit(code)


if __name__ == "__main__":
    console_main()
