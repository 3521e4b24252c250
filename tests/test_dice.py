"""The dice that follow from a seed, and the hashes that seal it."""

from collections import Counter

from game.dice import draw_dice, hash_words, new_seed, seal_seed

SEED = bytes(range(32))
CODE = "A" * 22
WORDS = ("alice", "", "Büro")


def draw_throw(n: int, count: int) -> tuple[int, ...]:
    return draw_dice(SEED, CODE, 1, hash_words(WORDS), n, count)


def test_the_seal_and_the_words_are_those_of_the_published_vector() -> None:
    assert seal_seed(CODE, 1, SEED) == "c384d16f07bae79d73b003a5b53d1fc50bb99e63f00fb1377a3de58f0403fd5c"
    assert hash_words(WORDS) == "133ae228048095e1331575ce00d2e50cb71bb2a5f0f286fd8bb43f70b50d6912"


def test_the_dice_are_those_of_the_published_vector() -> None:
    assert draw_throw(1, 6) == (4, 1, 6, 1, 2, 3)
    assert draw_throw(2, 3) == (1, 3, 2)
    assert draw_throw(3, 1) == (5,)
    assert draw_throw(4, 6) == (1, 1, 4, 1, 2, 4)
    assert (sum(draw_throw(5, 100)), draw_throw(5, 100)[-5:]) == (335, (2, 3, 3, 5, 6))


def test_a_throw_falls_the_same_again_and_each_seed_is_new() -> None:
    assert draw_throw(7, 6) == draw_throw(7, 6)
    assert new_seed() != new_seed()


def test_all_faces_fall_equally_often() -> None:
    faces = Counter(draw_throw(1, 60_000))
    assert all(abs(faces[face] - 10_000) < 400 for face in range(1, 7))
