"""Money: what coins are worth, and paying with change."""

from __future__ import annotations

import pytest

from rollbook.kit.purse import Purse
from rollbook.plugin import Refused, Table, events
from tests.support.bare_table import recorded_events, table_with

COINS = Purse({"crown": 100, "half": 50, "shilling": 10, "penny": 1}, change=("crown", "shilling", "penny"))


def with_coins(**coins: int) -> Table:
    return table_with(*(events.PoolGained(holder="robin", pool=coin, amount=many) for coin, many in coins.items()))


def after_paying(table: Table, amount: int) -> dict[str, int]:
    COINS.pay(table, table.character("robin"), amount, "ale")
    return {coin: many for coin, many in table.character("robin").pools.items() if many}


@pytest.mark.parametrize(
    ("amount", "told"),
    [(0, "nothing"), (9, "9 penny"), (150, "1 crown, 5 shilling"), (1_011, "10 crown, 1 shilling, 1 penny")],
)
def test_an_amount_is_told_in_the_largest_coins(amount: int, told: str) -> None:
    assert COINS.told(amount) == told
    assert COINS.worth(COINS.in_coins(amount)) == amount


def test_coins_that_are_no_change_count_all_the_same() -> None:
    assert COINS.worth({"half": 3, "penny": 2, "button": 7}) == 152


def test_who_pays_is_given_change_and_who_is_paid_has_more() -> None:
    assert after_paying(with_coins(half=1), 12) == {"shilling": 3, "penny": 8}
    assert after_paying(with_coins(shilling=9), -15) == {"crown": 1, "penny": 5}


def test_what_stays_as_it_is_is_not_recorded() -> None:
    table = with_coins(crown=2, penny=3)
    assert after_paying(table, 1) == {"crown": 2, "penny": 2}
    assert [event.pool for event in recorded_events(table) if isinstance(event, events.PoolBecame)] == ["penny"]


def test_nobody_pays_more_than_they_have() -> None:
    with pytest.raises(Refused, match="That costs 2 shilling, and Robin has 1 shilling, 9 penny"):
        after_paying(with_coins(shilling=1, penny=9), 20)
