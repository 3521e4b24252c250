"""The choice of cases that `manage.py test --quick` tries of tests with many examples."""

from tests.examples import choose_left_out

TESTS = {f"tests/test_{file}.py::test_it": [f"[{case}]" for case in range(count)] for file, count in
         {"tables": 54, "games": 54, "words": 12, "levels": 2}.items()}  # fmt: skip
NAMES = [test + case for test, cases in TESTS.items() for case in cases]


def test_the_gate_takes_all_cases() -> None:
    assert not list(choose_left_out(NAMES, 1))


def test_the_quick_run_takes_a_tenth_of_each_test_and_one_at_least() -> None:
    taken = set(NAMES) - set(choose_left_out(NAMES, 10))
    for test, cases in TESTS.items():
        count = len([name for name in taken if name.startswith(test)])
        assert count in (len(cases) // 10, len(cases) // 10 + 1), test
        assert count, test


def test_two_tests_with_the_same_cases_take_different_ones() -> None:
    taken = set(NAMES) - set(choose_left_out(NAMES, 10))
    tables, games = ({name.partition("[")[2] for name in taken if kind in name} for kind in ("tables", "games"))
    assert not tables & games
