"""Audience filters, evaluated by the engine of the apps.

    >>> import swexpr
    >>> adults = swexpr.Filter('user.age >= 18 && user.plan == "pro"')
    >>> adults.matches({"user": {"age": 31, "plan": "pro"}})
    True

A table is matched at once, whatever library it comes from:

    >>> filters = swexpr.FilterSet({"adults": "user.age >= 18", "pro": 'user.plan == "pro"'})
    >>> filters.match({"age": [31, 17], "plan": ["free", "pro"]}).counts
    {'adults': 1, 'pro': 1}
"""

from swexpr.campaigns import Audiences, Campaign, Decision
from swexpr.errors import Finding, SwexprError
from swexpr.filters import Environment, Explanation, Filter, Findings, check
from swexpr.sets import FilterSet, Matches

__all__ = [
    "Audiences", "Campaign", "Decision", "Environment", "Explanation", "Filter", "FilterSet", "Finding", "Findings",
    "Matches", "SwexprError", "check",
]
__version__ = "0.2.0"
