"""What devices ask of a seal: each function is one command, done once and answered."""

from api.models.seals import CommitmentRequest, NonceRequest, SealState
from api.tables import sealing
from api.tables.draft import Draft
from api.tables.seal_view import seal_state
from api.tables.service import Answered, Asking, Change, Scene, TableService


def commit(
    service: TableService, table: str, seal: int, asked: CommitmentRequest, asking: Asking
) -> Answered:
    """A device takes part in the coming seal."""

    def command(scene: Scene) -> Change:
        return _change(
            sealing.commit(scene.record, scene.actor, seal, asked.device, asked.commitment), seal
        )

    return service.change(table, asking, command)


def tell(
    service: TableService, table: str, seal: int, asked: NonceRequest, asking: Asking
) -> Answered:
    """A device tells its number."""

    def command(scene: Scene) -> Change:
        return _change(sealing.tell(scene.record, seal, asked.device, asked.nonce), seal)

    return service.change(table, asking, command)


def make_words(service: TableService, table: str, seal: int, asking: Asking) -> Answered:
    """The seal, its words made without those who were silent for too long."""

    def command(scene: Scene) -> Change:
        sealing.known_seal(scene.record, seal)
        return _change(None, seal)  # every command closes what is overdue

    return service.change(table, asking, command)


def _change(draft: Draft | None, seal: int) -> Change:
    def answer(scene: Scene) -> SealState:
        return seal_state(scene.record, seal)

    return Change([] if draft is None else [draft], answer)
