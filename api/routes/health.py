"""Whether the service is there, and which one."""

from importlib.metadata import version
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter(tags=["service"])


class Health(BaseModel):
    """The service answers."""

    status: Literal["ready"] = "ready"


class Version(BaseModel):
    """Versions of what an answer depends on."""

    program: str


@router.get("/v1/health")
async def health() -> Health:
    """Whether requests will be answered."""
    return Health()


@router.get("/v1/version", name="version")
async def versions() -> Version:
    """Versions of the program, its models and tray profiles."""
    return Version(program=version("trayscore"))
