"""The web page's files, served from memory: a first visit asks for two dozen at once."""

import gzip
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from api.problems import Problem

_METHODS = ("GET", "HEAD")
_KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".LICENSE": "text/plain",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
}
"""Listed here because systems disagree about what a file's ending means."""
_PACKED_ALREADY = (".png", ".webp")


@dataclass(frozen=True)
class PageFile:
    """One file as last read from disk, also compressed where that pays."""

    seen: tuple[int, int]
    content: bytes
    packed: bytes | None
    tag: str
    kind: str

    def answer(self, asked: Headers) -> Response:
        """The file, compressed if the browser accepts it; 304 if the browser has it already."""
        packed = self.packed is not None and "gzip" in asked.get("Accept-Encoding", "")
        tag = f'"{self.tag}-gzip"' if packed else f'"{self.tag}"'
        headers = {"Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
        if tag in asked.get("If-None-Match", ""):
            return Response(status_code=304, headers=headers)
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(self.packed if packed else self.content, 200, headers, self.kind)


class PageFiles:
    """ASGI application that serves the files of a folder; browsers revalidate them each time.

    ``calls`` are the service's routes: a call with the wrong method ends up here.
    """

    def __init__(self, folder: Path, calls: Sequence[BaseRoute]) -> None:
        names = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
        self._paths = {name: folder / name for name in names if Path(name).suffix in _KINDS}
        self._paths[""] = folder / "index.html"
        self._kept: dict[Path, PageFile] = {}
        self._calls = [call for call in calls if isinstance(call, Route)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file, or refuse."""
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close"})
        return await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        name = request.scope["path"].removeprefix("/")
        if name == "v1" or name.startswith("v1/"):
            raise self._no_such_call(request.scope)
        if request.method not in _METHODS:
            text = f"The page's files can only be read. {request.method} is not allowed."
            raise Problem(405, "method_not_allowed", text, headers={"Allow": ", ".join(_METHODS)})
        path = self._paths.get(name)
        if path is None:
            raise Problem(404, "not_found", "There is no such page.")
        return self._newest(path).answer(request.headers)

    def _newest(self, path: Path) -> PageFile:
        """The file as it is now; checking whether it changed costs a few microseconds."""
        status = path.stat()
        seen = (status.st_mtime_ns, status.st_size)
        kept = self._kept.get(path)
        if kept is None or kept.seen != seen:
            kept = self._kept[path] = _read(path, seen)
        return kept

    def _no_such_call(self, scope: Scope) -> Problem:
        """The refusal of a call that no route answers: wrong method, or no such call."""
        near = [call for call in self._calls if call.matches(scope)[0] is Match.PARTIAL]
        if not near:
            return Problem(404, "not_found", "There is no such call; see /docs.")
        allowed = ", ".join(sorted({method for call in near for method in call.methods or ()}))
        text = f"This call takes {allowed}, not {scope['method']}."
        return Problem(405, "method_not_allowed", text, headers={"Allow": allowed})


def _read(path: Path, seen: tuple[int, int]) -> PageFile:
    content = path.read_bytes()
    packed = None if path.suffix in _PACKED_ALREADY else gzip.compress(content, mtime=0)
    tag = hashlib.sha256(content).hexdigest()[:32]
    return PageFile(seen, content, packed, tag, _KINDS[path.suffix])
