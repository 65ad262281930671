"""Drives the server by the real client of OpenFeature: its SDK for Python and its OFREP provider.

`openfeature/check` builds the server, installs the client and runs this.
"""

import json
import os
import pathlib
import re
import subprocess
import threading
import time

import pytest
import requests
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

SERVER = os.environ["OPENFEATURE_SERVER"]


def config(build, paywalls=("pw_1", "pw_2")):
    def audience(experiment, expression, variants):
        return {
            "experiment_group_id": "campaign", "experiment_id": experiment, "expression_cel": expression,
            "variants": variants, "preload": {"behavior": "ALWAYS"},
        }

    treatments = [
        {"variant_type": "TREATMENT", "variant_id": f"t{index}", "percentage": 50, "paywall_identifier": name}
        for index, name in enumerate(paywalls)
    ]
    holdout = [{"variant_type": "HOLDOUT", "variant_id": "h", "percentage": 100}]
    trigger = {
        "trigger_version": "V2", "event_name": "open_forecast",
        "rules": [
            audience("e1", 'user.plan == "pro"', holdout),
            audience("e2", "user.age >= 18 || device.os == 17", treatments),
        ],
    }
    return {
        "build_id": build, "trigger_options": [trigger], "paywall_responses": [], "log_level": 10,
        "localization": {"locales": []}, "app_session_timeout_ms": 1, "toggles": [],
        "disable_preload": {"all": False, "triggers": []},
    }


def replace(path, text):
    """Replaces a file at once, as a deployment does."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.rename(path)


class Server:
    def __init__(self, path, **environment):
        self.process = subprocess.Popen(
            [SERVER, str(path), "--port", "0", "--poll", "10"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment})
        line = self.process.stdout.readline()
        self.url = re.search(r"http://\S+", line).group()

    def client(self, headers=None):
        domain = f"d{time.monotonic_ns()}"
        api.set_provider(
            OFREPProvider(self.url, headers_factory=(lambda: headers) if headers else None), domain)
        return api.get_client(domain)

    def post(self, path, body, **headers):
        data = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return requests.post(f"{self.url}/ofrep/v1/evaluate/flags{path}", data=data, headers=headers, timeout=10)

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=20)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config("b1")))
    return path


@pytest.fixture
def server(file):
    server = Server(file)
    yield server
    assert server.stop() == 0


def user(key="ana", **attributes):
    return EvaluationContext(targeting_key=key, attributes=attributes)


def test_values_of_each_type(server):
    client = server.client()
    adult = user(age=25)
    paywall = client.get_string_details("open_forecast", "none", adult)
    assert paywall.value in ("pw_1", "pw_2")
    assert paywall.variant == {"pw_1": "t0", "pw_2": "t1"}[paywall.value]
    assert paywall.reason == Reason.SPLIT
    assert paywall.flag_metadata == {"campaign": "campaign", "experiment": "e2", "result": "paywall"}
    assert client.get_boolean_value("open_forecast.shows", False, adult) is True
    decision = client.get_object_value("open_forecast.decision", {}, adult)
    assert decision["paywall"] == paywall.value and decision["result"] == "paywall"


def test_default_without_a_paywall(server):
    client = server.client()
    holdout = client.get_string_details("open_forecast", "none", user(age=25, plan="pro"))
    assert (holdout.value, holdout.variant, holdout.reason) == ("none", "h", Reason.TARGETING_MATCH)
    child = client.get_string_details("open_forecast", "none", user(age=12))
    assert (child.value, child.variant, child.reason) == ("none", "none", Reason.STATIC)
    assert client.get_boolean_value("open_forecast.shows", True, user(age=12)) is False


def test_layers(server):
    client = server.client()
    assert client.get_boolean_value("open_forecast.shows", False, user(device={"os": 17})) is True
    assert client.get_boolean_value("open_forecast.shows", False, user(user={"age": 30})) is True


def test_a_unit_keeps_its_variant(server):
    client = server.client()
    variants = {}
    for number in range(100):
        key = f"user {number}"
        variant = client.get_string_details("open_forecast", "", user(key, age=25)).variant
        assert client.get_string_details("open_forecast", "", user(key, age=25)).variant == variant
        variants[variant] = variants.get(variant, 0) + 1
    assert set(variants) == {"t0", "t1"} and min(variants.values()) > 25


def test_errors_reach_the_client(server):
    client = server.client()
    missing = client.get_string_details("close_forecast", "none", user())
    assert (missing.value, missing.error_code) == ("none", ErrorCode.FLAG_NOT_FOUND)
    wrong = client.get_boolean_details("open_forecast", False, user(age=25))
    assert (wrong.value, wrong.error_code) == (False, ErrorCode.TYPE_MISMATCH)
    nobody = client.get_string_details("open_forecast", "none", EvaluationContext())
    assert nobody.error_code in (ErrorCode.TARGETING_KEY_MISSING, ErrorCode.INVALID_CONTEXT)


@pytest.mark.parametrize("body, code", [
    ("{", "PARSE_ERROR"), ("", "PARSE_ERROR"), ("[]", "INVALID_CONTEXT"), ('{"context": 1}', "INVALID_CONTEXT"),
    ('{"context": {}}', "TARGETING_KEY_MISSING"), ('{"context": {"targetingKey": 7}}', "TARGETING_KEY_MISSING"),
    (b'{"context": {"targetingKey": "\xff"}}', "PARSE_ERROR"),
    ('{"context":' * 3000, "PARSE_ERROR"),
])
def test_bad_input(server, body, code):
    single = server.post("/open_forecast", body)
    assert single.status_code == 400
    assert single.json()["errorCode"] == code and single.json()["key"] == "open_forecast"
    everything = server.post("", body)
    assert everything.status_code == 400 and everything.json()["errorCode"] == code


def test_a_body_that_is_too_large(server):
    assert server.post("/open_forecast", " " * (2 << 20)).status_code == 413
    assert server.post("/open_forecast", {"context": {"targetingKey": "a"}}).status_code == 200


def test_names_of_flags_with_signs(server):
    for name in ("a/b", "%2e%2e", "ü", "a" * 5000):
        assert server.post(f"/{name}", {"context": {"targetingKey": "a"}}).status_code in (404, 414, 400)


def test_all_flags_and_their_tag(server, file):
    body = {"context": {"targetingKey": "ana", "age": 25}}
    first = server.post("", body)
    assert first.status_code == 200
    flags = {flag["key"]: flag for flag in first.json()["flags"]}
    assert set(flags) == {"open_forecast", "open_forecast.shows", "open_forecast.decision"}
    assert first.json()["metadata"] == {"version": "b1"}
    for key, flag in flags.items():
        assert server.post(f"/{key}", body).json() == flag
    tag = first.headers["ETag"]
    same = server.post("", body, **{"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
    assert server.post("", body, **{"If-None-Match": '"x", ' + tag}).status_code == 304
    other = server.post("", {"context": {"targetingKey": "ana", "age": 12}}, **{"If-None-Match": tag})
    assert other.status_code == 200 and other.headers["ETag"] != tag
    replace(file, json.dumps(config("b2")))
    deadline = time.monotonic() + 10
    while server.post("", body, **{"If-None-Match": tag}).status_code == 304:
        assert time.monotonic() < deadline


def test_a_key(file):
    server = Server(file, SWEXPR_API_KEY="secret")
    try:
        context = user(age=25)
        assert server.client().get_string_details("open_forecast", "none", context).error_code is not None
        for headers in ({"X-API-Key": "secret"}, {"Authorization": "Bearer secret"}):
            assert server.client(headers).get_string_value("open_forecast", "none", context) != "none"
        wrong = server.client({"Authorization": "Bearer secre"})
        assert wrong.get_string_value("open_forecast", "none", context) == "none"
    finally:
        assert server.stop() == 0


def test_reloading_under_load_loses_no_request(server, file):
    """Configs are replaced, and damaged, while clients ask: each request gets a value of one of the configs."""
    stop = threading.Event()
    counts = {}
    failures = []

    def ask(number):
        client = server.client()
        while not stop.is_set():
            details = client.get_string_details("open_forecast", "none", user(f"u{number}", age=25))
            if details.error_code is not None or not re.fullmatch(r"pw_\d+", details.value):
                failures.append(details)
            counts[details.value] = counts.get(details.value, 0) + 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for build in range(60):
        time.sleep(0.04)
        if build % 5 == 4:
            replace(file, json.dumps(config(f"c{build}"))[: 200 + build])
        else:
            replace(file, json.dumps(config(f"c{build}", (f"pw_{build}", f"pw_{build}"))))
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(counts) > 20, counts
    print(f"{sum(counts.values())} requests over {len(counts)} configs, 0 failed")


def test_a_config_that_cannot_be_read(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text("{")
    run = subprocess.run([SERVER, str(path), "--port", "0"], capture_output=True, text=True, timeout=20)
    assert run.returncode != 0 and "Error" in run.stderr
