"""``python -m api.cli`` is ``trayscore``."""

import sys

from api.cli import main

sys.exit(main())
