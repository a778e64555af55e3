import pytest
from guarded import TeaHouse

from fsmvoice import NotAllowed


def test_tea_is_ordered() -> None:
    house = TeaHouse()
    outcome = house.order.sync(tea="green", cups=2)
    assert outcome.say == "2 green tea, coming up. You can choose another tea."
    assert outcome.context.cups == 2


def test_mint_is_out() -> None:
    house = TeaHouse()
    with pytest.raises(NotAllowed) as refused:
        house.order.sync(tea="mint")
    assert refused.value.outcome.reason == "guard-rejected"
    assert refused.value.outcome.say.startswith("We are out of mint tea.")
    assert house.state == "idle"


def test_a_test_may_begin_anywhere() -> None:
    house = TeaHouse.at("ordered", tea="black", cups=1)
    assert house.again.can()
    assert house.send_sync("ORDER", tea="green").reason == "no-transition"
