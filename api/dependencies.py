"""What routes ask for, as typed dependencies."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from api.settings import Settings


def _settings(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


CurrentSettings = Annotated[Settings, Depends(_settings)]
