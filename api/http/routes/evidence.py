"""Evidence: the ledger, the photos, and a bundle of all of it."""

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from api.evidence.archive import refuse_too_large
from api.evidence.bundle import FORMAT, bundle, wanted_files
from api.http.routes.at_table import Digest, TableId, Tables, Token, picture
from api.ledger.fingerprint import fingerprint
from api.models.tables import Ledger, LedgerEntry
from api.problems import refusals
from api.storage.photos import MEDIA_TYPES, PhotoError

router = APIRouter(
    prefix="/v1/tables/{table}", tags=["evidence"], responses=refusals(401, 403, 404, 410, 422, 500)
)


@router.get("/ledger")
def ledger(table: TableId, token: Token, tables: Tables) -> Ledger:
    """The whole history: each row's hash covers the row and the hash before it."""
    seen = tables.look(table, token)
    entries = tables.news(table, token, 0)[: seen.record.length]
    return Ledger(
        format=FORMAT,
        program=None if seen.record.program is None else seen.record.program["version"],
        table=table,
        head=seen.record.head,
        fingerprint=fingerprint(seen.record.head),
        entries=[LedgerEntry.model_validate(entry.to_json()) for entry in entries],
    )


@router.get(
    "/evidence.zip",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "open index.html in it, or check it with `trayscore verify`",
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
def evidence(table: TableId, token: Token, tables: Tables) -> StreamingResponse:
    """Ledger, photos, drawings and a page that shows them offline, as one archive."""
    entries = tables.news(table, token, 0)
    files = tables.files(table)
    suffixes = {digest: row.suffix for digest, row in files.items()}
    refuse_too_large(row.size for row in files.values())

    def content(digest: str) -> bytes | None:
        try:
            return tables.store.files.read(digest, suffixes[digest])
        except PhotoError:  # it was sound a moment ago: the table is being deleted
            return None

    headers = {
        "Content-Disposition": f'attachment; filename="trayscore-{entries[0].hash[:8]}.zip"',
        "Cache-Control": "no-store",
    }
    lost = tables.store.files.lost(wanted_files(entries), suffixes)
    pieces = bundle(table, entries, suffixes, content, lost)
    return StreamingResponse(pieces, media_type="application/zip", headers=headers)


@router.get(
    "/photos/{digest}",
    response_class=Response,
    responses={
        200: {
            "description": "the photo",
            "content": {
                kind: {"schema": {"type": "string", "format": "binary"}}
                for kind in MEDIA_TYPES.values()
            },
        }
    },
)
def photo(table: TableId, digest: Digest, token: Token, tables: Tables) -> Response:
    """A photo as it is kept: the bytes that were sent, without their location data."""
    tables.look(table, token)
    content, row = tables.content(table, digest)
    return picture(content, MEDIA_TYPES[row.suffix])
