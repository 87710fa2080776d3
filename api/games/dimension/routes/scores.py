"""What layouts score, what the best would be, and the cards."""

from fastapi import APIRouter

from api.games.dimension.models.scores import (
    DeckAnswer,
    ScoreAnswer,
    ScoreQuestion,
    SolutionAnswer,
    SolutionQuestion,
)
from api.games.dimension.scores import answer_full_score
from api.http.dependencies import Solvers
from api.problems import refusals
from rules.dimension.cards import standard_deck
from rules.dimension.questions import describe

router = APIRouter(tags=["scores"])


@router.post("/v1/scores", response_model_exclude_unset=True, responses=refusals(400, 413))
def score(question: ScoreQuestion) -> ScoreAnswer:
    """Every card's verdict with its reason, and the points; of a reading also what is in doubt."""
    return ScoreAnswer.model_validate(answer_full_score(question.asked()))


@router.post("/v1/solutions", response_model_exclude_unset=True, responses=refusals(400, 413, 503))
async def solve(question: SolutionQuestion, solvers: Solvers) -> SolutionAnswer:
    """The proven best for these cards, and what stands in the way of more."""
    return SolutionAnswer.model_validate(await solvers.solve(question.asked()))


@router.get("/v1/deck")
def deck() -> DeckAnswer:
    """The sixty cards of the published game."""
    return DeckAnswer.model_validate({"cards": map(describe, standard_deck().cards)})
