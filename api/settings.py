"""The service's settings: all from the environment, each with a default that suits a table.

Every field is read from ``TRAYSCORE_`` and its name in capitals: ``TRAYSCORE_PORT=8080``. An
empty one counts as not set. Lists are JSON: ``TRAYSCORE_ORIGINS='["https://tray.example"]'``. The
list in ``docs/operating.md`` is made of this class.
"""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, IPvAnyNetwork
from pydantic_settings import BaseSettings, SettingsConfigDict

from calibration.data_directory import data_directory


class Settings(BaseSettings):
    """What can be set, what it means, and what it is when nobody sets it."""

    model_config = SettingsConfigDict(
        env_prefix="TRAYSCORE_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    data_dir: Path = Field(
        default_factory=data_directory,
        description="directory of tables, photos, trays and certificates",
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy's URL of a PostgreSQL database; none: SQLite in data_dir",
    )
    host: str = Field(
        default="0.0.0.0", description="address to listen on; 0.0.0.0: the whole network"
    )
    port: int = Field(
        default=8000, ge=0, le=65535, description="port to listen on; 0: any free one"
    )
    https: bool = Field(
        default=False, description="serve securely, by a certificate for the local network"
    )
    origins: tuple[str, ...] = Field(
        default=(),
        description="other origins whose pages may call the service; its own page always may",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="what is logged: debug, info, warning or error"
    )

    workers: int = Field(
        default_factory=lambda: max(1, min(os.cpu_count() or 1, 8)),
        ge=1,
        le=64,
        description="processes that read photos; by default one a core, eight at most",
    )
    reading_timeout_s: float = Field(
        default=20.0, gt=0, description="a job that takes a worker longer is stopped"
    )
    reading_memory_mb: int = Field(
        default=1024, ge=256, description="memory that a job may take beyond a worker's own"
    )
    queue: int = Field(
        default=160, ge=1, description="jobs that may wait for a worker; others: 503 busy"
    )
    queue_mb: int = Field(
        default=512, ge=1, description="what the photos of waiting jobs may add up to"
    )
    live_workers: int = Field(
        default=1, ge=1, le=64, description="processes that follow live cameras"
    )
    frame_kb: float = Field(default=1000.0, gt=0, description="largest frame of a live camera")
    live_connections: int = Field(default=32, ge=0, description="live cameras at a time")
    live_per_address: int = Field(
        default=12, ge=1, description="of these, of one address; half of them without a token"
    )
    live_per_token: int = Field(default=2, ge=1, description="of these, of one token")
    live_idle_s: float = Field(
        default=30.0, gt=0, description="a live camera that sends no frame for so long is closed"
    )

    solvers: int = Field(
        default=2,
        ge=1,
        le=64,
        description="processes that look for the best layout; one address never has them all",
    )
    solver_queue: int = Field(
        default=24, ge=2, description="questions that may wait for a solver, half of one address"
    )
    solver_timeout_s: float = Field(
        default=10.0, gt=0, description="a question that takes a solver longer is given up"
    )

    photo_mb: float = Field(default=40.0, gt=0, description="largest photo")
    upload_mb: float = Field(default=100.0, gt=0, description="largest upload, its photos together")
    json_kb: float = Field(default=256.0, gt=0, description="largest body without photos")
    uploads_mb: int = Field(
        default=384, ge=1, description="memory for all uploads at a time; others: 503 busy"
    )
    uploads_mb_per_address: int = Field(
        default=128, ge=1, description="of this, for uploads of one address"
    )
    upload_mb_per_s: float = Field(
        default=16.0, gt=0, description="how fast the uploads of one address are taken"
    )
    body_s: float = Field(default=300.0, gt=0, description="time for a whole body; then: 408")
    body_kb_per_s: float = Field(
        default=16.0, gt=0, description="a body that comes more slowly is given up sooner"
    )
    head_s: float = Field(
        default=10.0, gt=0, description="time for the head of a request, and for a TLS handshake"
    )
    stalled_s: float = Field(
        default=30.0, gt=0, description="an answer that nobody fetches for so long is given up"
    )
    connections: int = Field(
        default=1000,
        ge=4,
        description="connections at a time; fewer where the system allows fewer open files",
    )
    connections_per_address: int = Field(
        default=256, ge=1, description="of these, of one address; a proxy may have them all"
    )
    requests: int = Field(
        default=512, ge=1, description="requests answered at a time; others: 503 busy"
    )
    requests_per_address: int = Field(
        default=128, ge=1, description="of these, of one address; half of them without a token"
    )
    requests_per_token: int = Field(default=16, ge=1, description="of these, of one token")
    streams: int = Field(
        default=800, ge=1, description="streams of events at a time; they are no requests"
    )
    streams_per_address: int = Field(
        default=128, ge=1, description="of these, of one address; half of them without a token"
    )
    streams_per_token: int = Field(default=8, ge=1, description="of these, of one token")
    proxies: tuple[IPvAnyNetwork, ...] = Field(
        default=(),
        description="proxies whose forwarded addresses are believed (addresses or networks)",
    )
    proxy_header: Literal["X-Forwarded-For", "Forwarded"] = Field(
        default="X-Forwarded-For", description="the header in which these proxies name the client"
    )
    rate_per_minute: float = Field(
        default=1800.0,
        gt=0,
        description="requests a minute of one token, or of one address without one",
    )
    address_rate_per_minute: float = Field(
        default=9000.0, gt=0, description="requests a minute of one address, whatever its tokens"
    )
    disk_limit_mb: int = Field(
        default=20_000, ge=1, description="what data_dir may hold before new photos are refused"
    )
    most_trays: int = Field(default=200, ge=0, description="tray profiles that are kept")

    @property
    def certificates(self) -> Path:
        """Where the certificates of ``https`` are kept."""
        return self.data_dir / "certificates"
