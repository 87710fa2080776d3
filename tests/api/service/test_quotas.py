"""Quotas: what there is at a time, in all, for an address, a token, and who shows no token."""

import pytest

from api.limits.callers import Caller, KnownTokens
from api.limits.quotas import Claim, Memory, Most, Quota
from api.problems import Problem

HOME = "192.0.2.7"


def quota() -> Quota:
    return Quota("requests", Most.of(in_all=10, per_address=6, per_token=2))


def claims(quota: Quota, *callers: Caller) -> list[Claim | tuple[int, str]]:
    """What each gets in turn: a claim, or a refusal."""
    got: list[Claim | tuple[int, str]] = []
    for caller in callers:
        try:
            got.append(quota.claim(caller))
        except Problem as problem:
            got.append((problem.status, problem.code))
    return got


def given(got: list[Claim | tuple[int, str]]) -> list[bool]:
    return [isinstance(one, Claim) for one in got]


TOO_MANY = (429, "too_many_at_once")


def test_a_token_has_its_share() -> None:
    got = claims(quota(), *[Caller(HOME, "a")] * 3, Caller(HOME, "b"))
    assert given(got) == [True, True, False, True]
    assert got[2] == TOO_MANY


def test_who_shows_no_token_leaves_half_of_the_address_to_those_who_do() -> None:
    counted = quota()
    got = claims(counted, *[Caller(HOME)] * 4, Caller(HOME, "a"))
    assert given(got) == [True, True, True, False, True]
    assert got[3] == TOO_MANY


def test_an_address_has_its_share_however_many_tokens_it_has() -> None:
    got = claims(quota(), *(Caller(HOME, str(number)) for number in range(7)))
    assert given(got) == [True] * 6 + [False]
    assert got[6] == TOO_MANY


def test_there_is_only_so_much_in_all() -> None:
    got = claims(quota(), *(Caller(f"192.0.2.{number}") for number in range(11)))
    assert given(got) == [True] * 10 + [False]
    assert got[10] == (503, "busy")


def test_what_is_given_back_can_be_claimed_again_and_leaves_no_trace() -> None:
    counted = quota()
    for _ in range(100):
        with counted.claim(Caller(HOME, "a"), 2):
            assert counted.taken == 2
            assert given(claims(counted, Caller(HOME, "a"))) == [False]  # and costs nothing
    assert counted.taken == 0
    assert not counted._taken


def test_memory_grows_with_a_body_that_does_not_say_its_length() -> None:
    memory = Memory("bytes", Most(100, 60, 60, 60))
    with memory.claim(Caller(HOME), 0) as claim:
        for size in (20, 40, 60, 60):
            claim.grow_to(size)
        with pytest.raises(Problem) as refused:
            claim.grow_to(61)
        assert (refused.value.status, refused.value.code) == (503, "busy")
        with memory.claim(Caller("192.0.2.8"), 40), pytest.raises(Problem):
            memory.claim(Caller("192.0.2.9"), 1)
    assert memory.taken == 0


def test_only_tokens_that_a_table_has_answered_are_known() -> None:
    known = KnownTokens(most=2)
    for token in "abac":
        known.add(token)
    assert [known.known(token) for token in ("a", "b", "c", None)] == ["a", None, "c", None]
