"""SIGINT, SIGTERM and SIGKILL at random moments of every command that writes (F8, F14).

A file is there whole, or as it was before; whoever is asked to stop says so with the promised code and leaves no
process behind.
"""

import http.client
import json
import os
import shutil
import signal
import time
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import glade
from tests.campaign.commands import Tally, assert_ended_well, assert_whole, list_processes, start
from tests.fuzz.measuring import SECONDS, SEED

RULES = ["fit", "t.csv", "-t", "species", "--max-rules", "4", "-o", "out.glade", "--report", "out.html", "--force"]
JOBS = {
    "fit rules": RULES,
    "fit in folds": ["fit", "t.csv", "-t", "sex", "--model", "forest", "--folds", "20", "-o", "out.glade", "--force"],
    "compare": ["compare", "t.csv", "-t", "species", "--folds", "3", "--store", "store", "--csv", "out.csv"],
    "report": ["report", "known.glade", "t.csv", "-o", "out.html", "--force"],
    "predict": ["predict", "known.glade", "t.csv", "-o", "out.csv", "--force"],
    "export": ["export", "known.glade", "--to", "sql", "-o", "out.sql", "--force"],
    "archetype": ["archetype", "known.glade", "t.csv", "-o", "out.glade", "--force"],
    "fit partitions": ["fit", "parts", "-t", "sex", "--max-rules", "4", "-o", "out.glade", "--force", "--resume"],
    "predict partitions": ["predict", "known.glade", "parts", "-o", "told"],
    "app": ["app", "--no-browser"],  # whoever stops it has asked for nothing else: it never ends by itself
    "stability": ["stability", "t.csv", "-t", "species", "--resamples", "3"],
}
ENDLESS = {"app"}
CODES = {signal.SIGINT: {0, 130}, signal.SIGTERM: {0, 143}, signal.SIGKILL: {0, -signal.SIGKILL}}
SOONEST, LONGEST = 0.1, 6.0  # seconds until the signal comes
GRACE = 10.0  # seconds until all processes of a killed command must be gone


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    folder = tmp_path_factory.mktemp("signals")
    table = glade.load_penguins()
    table.to_csv(folder / "t.csv", index=False)
    (folder / "parts").mkdir()
    for k in range(3):
        table.iloc[k::3].to_parquet(folder / "parts" / f"{k}.parquet", index=False)
    known = table.dropna()
    model = glade.RuleEnsembleClassifier(glade.ForestClassifier(20, max_depth=3), max_rules=4, random_state=0)
    model.fit(known.drop(columns="species"), known["species"]).save(folder / "known.glade")
    return folder


def start_a_fit(said, stage) -> None:
    """Let an app that has said its address fit rules, as its own page would."""
    address = urlsplit(next(line for line in said if "http" in line).split()[-1])
    asked = json.dumps({"targets": ["species"], "max_rules": 4}).encode()
    for path, body in (("/table?name=t.csv", (stage / "t.csv").read_bytes()), ("/fit", asked)):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        connection.request("POST", path, body, {"X-Glade-Token": parse_qs(address.query)["token"][0]})
        with connection.getresponse() as answer:
            assert answer.status == 200
            answer.read()
        connection.close()


def interrupt(stage, job: str, number: signal.Signals, pause: float) -> str:
    """Run a command, send a signal after some seconds, look at what is left; returns how it ended."""
    story = f"{job}, {number.name} after {pause:.2f} s"
    shutil.rmtree(stage / "told", ignore_errors=True)  # parts are predicted into an empty folder
    before = {path: path.read_bytes() for path in stage.rglob("*") if path.is_file()}
    process = start(JOBS[job], stage)
    assert process.stdout.readline() == "begun\n"
    if job == "app":
        start_a_fit(process.stdout, stage)
    time.sleep(pause)
    if process.poll() is None:
        process.send_signal(number)
    _, errors = process.communicate(timeout=120)
    assert job not in ENDLESS or process.returncode != 0, f"{story}: it has ended without being asked"
    assert_ended_well(process.returncode, f"{story}: {errors}", CODES[number])
    deadline = time.monotonic() + GRACE
    while list_processes(process.pid):
        assert time.monotonic() < deadline, f"{story}: processes go on after the command has ended"
        time.sleep(0.1)
    for path in stage.rglob("*"):
        if path.is_file() and not path.name.startswith(".") and path.suffix and before.get(path) != path.read_bytes():
            assert_whole(path)
    left = [path.name for path in stage.rglob("*") if path not in before and path.name.startswith(".")]
    assert number == signal.SIGKILL or not left, f"{story}: {left} were left behind"
    return "done before" if process.returncode == 0 else number.name


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
def test_a_signal_at_a_random_moment_costs_no_file(stage, capsys):
    random, tally, end = np.random.default_rng(SEED), Tally("signals"), time.monotonic() + SECONDS
    while time.monotonic() < end:
        job = list(JOBS)[int(random.integers(len(JOBS)))]
        number = list(CODES)[int(random.integers(len(CODES)))]
        tally.endings[interrupt(stage, job, number, float(random.uniform(SOONEST, LONGEST)))] += 1
    with capsys.disabled():
        print(tally)
    assert tally.endings
