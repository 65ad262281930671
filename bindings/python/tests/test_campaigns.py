"""Campaigns over tables, counted as the tool counts them one by one."""

import json
import pathlib
import random

import pytest

import swexpr

pa = pytest.importorskip("pyarrow")

CONFIG = (pathlib.Path(__file__).parents[3] / "corpus/campaigns/sample/config.json").read_text()
NOW = "2026-03-01T12:00:00Z"


def users(count: int, seed: int) -> list[dict]:
    chance = random.Random(seed)
    return [
        {
            "user": {"id": f"u{n}", "seed": chance.randrange(100), "sessions": chance.choice([None, 1, 20, 300])},
            "device": {
                "activeEntitlements": chance.choice([[], ["skipper"], ["skipper", "captain"]]),
                "interfaceType": chance.choice(["ipad", "iphone", None]),
                "preferredLanguageCode": chance.choice(["pt", "en", "es", "fr"]),
                "appVersionPadded": chance.choice(["003.001.000", "004.010.000"]),
            },
            "params": {"days": chance.choice([None, 1, 8, 30])},
        }
        for n in range(count)
    ]


def test_one_by_one():
    campaign = swexpr.Campaign(CONFIG, now=NOW)
    rows = users(400, 1)
    counted = campaign.audiences(pa.Table.from_pylist(rows))
    assert counted["users"] == 400
    matched = 0
    for placement in counted["placements"]:
        name = placement["placement"]
        expected: dict[str, int] = {}
        for row in rows[:100]:
            decision = campaign.decide(name, _present(row))
            if "experiment" in decision:
                expected[decision["experiment"]["id"]] = expected.get(decision["experiment"]["id"], 0) + 1
        small = campaign.audiences(pa.Table.from_pylist(rows).slice(0, 100))
        own = next(p for p in small["placements"] if p["placement"] == name)
        # An app cannot register an event of the SDK, so nothing is decided about it.
        if any(a["matched"] for a in own["audiences"]) and expected:
            assert {a["experiment"]: a["matched"] for a in own["audiences"] if a["matched"]} == expected
            matched += sum(expected.values())
        assert placement["unmatched"] + sum(a["matched"] for a in placement["audiences"]) == 400
    assert matched > 100


def _present(row: dict) -> dict:
    return {root: {k: v for k, v in values.items() if v is not None} for root, values in row.items()}


def test_batches_and_threads():
    campaign = swexpr.Campaign(CONFIG, now=NOW)
    table = pa.Table.from_pylist(users(3_000, 2))
    whole = campaign.audiences(table, threads=1)
    parts = pa.Table.from_batches(table.to_batches(max_chunksize=100))
    seen: list[int] = []
    assert campaign.audiences(parts, progress=seen.append) == whole
    assert sum(seen) == 3_000
    assert whole.to_table().num_rows == len(whole.rows) > 0
    assert "experiment" in whole._repr_html_()
    nobody = campaign.audiences(table.slice(0, 0))
    assert nobody["users"] == 0 and not any(row["count"] for row in nobody.rows)


def test_variants():
    campaign = swexpr.Campaign(CONFIG, now=NOW)
    table = pa.Table.from_pylist(users(2_000, 3))
    assert campaign.audiences(table) == campaign.audiences(table)
    chance = [swexpr.Campaign(CONFIG, now=NOW, variants="random", seed=s).audiences(table, threads=1) for s in (1, 1, 2)]
    assert chance[0] == chance[1] != chance[2]


def test_mistakes():
    with pytest.raises(swexpr.SwexprError, match="trigger_options"):
        swexpr.Campaign({"build_id": "b", "trigger_options": 1})
    with pytest.raises(swexpr.SwexprError, match="platform"):
        swexpr.Campaign(CONFIG, platform="web")
    with pytest.raises(swexpr.SwexprError, match="date"):
        swexpr.Campaign(CONFIG, now="noon")
    campaign = swexpr.Campaign(json.loads(CONFIG))
    assert "user.seed" in campaign.attributes
    assert campaign.decide("nowhere", {}).result == "placementNotFound"
    with pytest.raises(swexpr.SwexprError, match="users"):
        campaign.decide("nowhere", {"users": {}})
    assert all(note.severity == "warning" for note in campaign.notes)


def test_report():
    campaign = swexpr.Campaign(CONFIG, now=NOW)
    decision = campaign.decide("open_forecast", {"user": {"seed": 1}})
    assert decision["audiences"] and "open_forecast" in decision._repr_html_()
