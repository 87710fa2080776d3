"""What the page of an evidence bundle says of Dimension (see ``api.evidence.page``)."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.evidence.html import count, table, text
from rules.dimension.game import Game
from rules.dimension.words import card_name

_EDITIONS = {"en": "English edition", "de": "German edition"}


class DimensionEvidence:
    """Cards, verdicts, points and bonus tokens."""

    terms_title = "Cards"

    def how(self, state: Game) -> str:
        """The edition, and how many cards a round has."""
        agreed = state.settings
        return f"{_EDITIONS[agreed.edition]}, {agreed.cards_per_round} cards a round"

    def standings(self, state: Game) -> tuple[Sequence[object], Sequence[Sequence[object]]]:
        """Points and bonus tokens; of a finished game also what the tokens were worth."""
        if not state.finished:
            rows = [[player, one.points, one.bonus] for player, one in state.standings.items()]
            return ["Player", "Points", "Bonus tokens"], rows
        return ["Player", "Points", "Bonus tokens", "worth", "Total", "Place"], [
            [one.player, one.points, one.bonus_tokens, one.conversion, one.total, one.place]
            for one in state.final()
        ]

    def terms(self, state: Game, number: int) -> Sequence[tuple[str, str]]:
        """The cards of a round."""
        return [(card_name(card).en, str(card)) for card in state.rounds[number - 1].cards]

    def score(self, state: Game, number: int, player: str, position: str) -> str:
        """Spheres, failed cards, points, and every verdict with its reason."""
        score = state.score(number, player)
        late = ", late" if state.rounds[number - 1].trays[player].late else ""
        rows = [
            [f"{'✓' if one.fulfilled else '✗'} {one.card}", one.reason.en] for one in score.verdicts
        ]
        return (
            f"<p><code>{text(position)}</code>: {count(score.spheres, 'sphere')}, "
            f"{count(score.failed, 'card')} failed, <b>{count(score.points, 'point')}</b>, "
            f"{count(score.bonus, 'bonus token')}{late}.</p>"
            f"{table(['Card', 'Why'], rows)}"
        )

    def about(self, about: Mapping[str, Any]) -> str:
        """The disputed card or seat."""
        return f"card {about['card']}" if about["card"] else f"seat {about['seat']}"


EVIDENCE = DimensionEvidence()
