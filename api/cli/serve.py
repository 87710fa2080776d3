"""``trayscore serve``: the service, on this computer and in its network.

Only the words of the command line are here; what the command does is in ``serve_commands``, which
loads the web framework and is therefore imported when the command runs.
"""

import argparse
from pathlib import Path

from api.cli.options import Commands


def add_parsers(commands: Commands) -> None:
    """Add the command."""
    serve = commands.add_parser(
        "serve",
        help="run the service and its page for tablets and phones",
        description="Run the service and its page. Everything else is set by the environment, "
        "TRAYSCORE_PORT and so on: see docs/operating.md.",
    )
    serve.add_argument("--host", help="address to listen on (default 0.0.0.0: the whole network)")
    serve.add_argument("--port", type=int, help="port to listen on (default 8000)")
    serve.add_argument(
        "--https",
        action="store_true",
        default=None,
        help="serve securely, by a certificate made here: browsers want it for the live camera",
    )
    serve.add_argument(
        "--data", type=Path, metavar="DIR", dest="data_dir", help="where everything is kept"
    )
    serve.set_defaults(run=_serve)


def _serve(args: argparse.Namespace) -> int:
    from api.cli.serve_commands import serve  # noqa: PLC0415 - the framework takes time to load

    return serve(args)
