import decimal

import pytest

import swexpr


def test_one_user():
    filter = swexpr.Filter('user.age >= 18 && user.plan == "pro"')
    assert filter.matches({"user": {"age": 31, "plan": "pro"}})
    assert not filter.matches({"user": {"age": 17, "plan": "pro"}})
    assert swexpr.Filter("user.age + 1").evaluate({"user": {"age": 31}}) == 32


def test_attributes_are_kept():
    filter = swexpr.Filter("user.price > 3.5")
    assert filter.matches({"user": {"price": decimal.Decimal("3.99")}})
    with pytest.raises(swexpr.SwexprError, match="object"):
        filter.matches({"user": {"price": object()}})
    with pytest.raises(swexpr.SwexprError):
        filter.matches({"user": {"price": float("nan")}})


def test_a_mistake_has_its_place():
    with pytest.raises(swexpr.SwexprError) as error:
        swexpr.Filter("user.age >= ")
    assert "user.age >=" in str(error.value) and "^" in str(error.value)


def test_explanations_and_findings():
    explanation = swexpr.Filter("user.age >= 18").explain({"user": {"age": 17}})
    assert "17" in explanation._repr_html_()
    findings = swexpr.Filter("user.subscriptionStatus == 'ACTIV' && device.platfrm == 'iOS'").check()
    assert findings and all(finding.id for finding in findings)
    assert "platfrm" in findings._repr_html_()


def test_host_functions():
    environment = swexpr.Environment(computed={"double": lambda number: 2 * number, "fail": lambda: 1 / 0})
    assert swexpr.Filter("computed.double(21) == 42", environment).matches({})
    with pytest.raises(swexpr.SwexprError, match="ZeroDivisionError"):
        swexpr.Filter("computed.fail() == 1", swexpr.Environment("cel", computed={"fail": lambda: 1 / 0})).evaluate({})


def test_the_other_dialect():
    environment = swexpr.Environment("cel")
    assert swexpr.Filter("user.tags.exists(tag, tag == 'vip')", environment).matches({"user": {"tags": ["vip"]}})


def test_sets_say_which_text_is_wrong():
    with pytest.raises(swexpr.SwexprError):
        swexpr.FilterSet(["user.age > 1", "user.age >"])
