"""The service for the page's tests: ``python -m tests.page.serve PORT DATA_DIR``."""

import sys
from pathlib import Path

import uvicorn

from api.http.app import create_app
from api.settings import Settings


def main() -> None:
    port, data_dir = int(sys.argv[1]), Path(sys.argv[2])
    settings = Settings(
        data_dir=data_dir,
        workers=1,
        rate_per_minute=60_000,
        reading_timeout_s=120,  # a busy machine takes its time; nothing here tests the limit
    )
    uvicorn.run(
        create_app(settings),
        host="localhost",
        port=port,
        log_level="warning",
        timeout_graceful_shutdown=1,  # pages listen to events for as long as they are open
    )


if __name__ == "__main__":
    main()
