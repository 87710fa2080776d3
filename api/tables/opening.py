"""The tables of a running service: opened when it starts, closed when it stops."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.concurrency import run_in_threadpool

from api.settings import Settings
from api.storage.store import Store
from api.storage.watch import Watch
from api.tables.service import TableService


@asynccontextmanager
async def open_tables(settings: Settings) -> AsyncIterator[TableService]:
    """The tables in the data directory, or in the database that is set."""
    store = Store(settings.data_dir, settings.database_url)
    watch = Watch(store)
    try:
        await run_in_threadpool(store.open)
        service = TableService(store, disk_limit=settings.disk_limit_mb * 1_000_000)
        watch.start()
        yield service
        service.feed.close()
    finally:
        await run_in_threadpool(watch.stop)
        await run_in_threadpool(store.close)
