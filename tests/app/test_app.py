"""The app's server: who may ask, what it answers, and that it does what the commands do."""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from glade import load, load_penguins
from glade.app import work as work_module
from glade.app.server import App
from glade.app.work import AppFolder


@pytest.fixture
def app():
    with AppFolder() as work, App(work) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def ask(app):
    """Ask the server as its own page does, unless told otherwise."""

    def send(method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", app.server_port, timeout=60)
        connection.request(method, path, body, {"X-Glade-Token": app.token, **headers})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        kind = answer.headers["Content-Type"]
        return answer.status, json.loads(content) if kind == "application/json" else content, answer.headers

    return send


@pytest.fixture(scope="module")
def penguins():
    return load_penguins().to_csv(index=False).encode()


def wait_for(ask, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        told = ask("GET", "/job")[1]
        if told["code"] is not None:
            return told
        time.sleep(0.2)
    raise AssertionError("the fit has not ended")


def test_it_listens_on_this_machine_only(app):
    assert app.server_address[0] == "127.0.0.1"
    assert len(app.token) >= 40


@pytest.mark.parametrize("path", ["/", "/page", "/job", "/save?file=page"])
@pytest.mark.parametrize(
    "headers",
    [
        {"X-Glade-Token": "wrong"},
        {"X-Glade-Token": ""},
        {"Host": "evil.example:80"},  # a name that somebody lets point at this machine
        {"Origin": "http://evil.example"},  # the page of another site
        {"Origin": "null"},
    ],
)
def test_nobody_else_is_answered(ask, path, headers):
    status, told, _ = ask("GET", path, **headers)
    assert status == 403
    assert "columns" not in told


def test_a_question_without_the_token_does_nothing(ask, app, penguins):
    assert ask("POST", "/table?name=t.csv", penguins, **{"X-Glade-Token": "wrong"})[0] == 403
    assert ask("POST", "/table?name=t.csv", penguins, Origin="http://evil.example")[0] == 403
    assert app.work.table is None


def test_the_app_page_may_ask_this_server_alone(ask, app):
    status, page, headers = ask("GET", f"/?token={app.token}", **{"X-Glade-Token": ""})
    assert status == 200
    assert app.token.encode() not in page
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"


def test_from_a_table_to_the_page_and_the_model(ask, penguins, tmp_path):
    status, told, _ = ask("POST", "/table?name=penguins.csv", penguins)
    assert status == 200
    assert told["rows"] == 344
    assert next(own for own in told["columns"] if own["name"] == "sex")["labels"] == ["male", "female"]
    asked = json.dumps({"targets": ["body_mass_g"], "drop": ["year"]})
    status, told, _ = ask("POST", "/check", asked)
    assert told["code"] == 0
    assert any("344 rows" in line for line in told["said"])
    assert ask("POST", "/fit", json.dumps({"targets": ["body_mass_g"], "drop": ["year"], "model": "tree"}))[0] == 200
    told = wait_for(ask)
    assert (told["code"], told["page"]) == (0, True), told
    assert any("RMSE" in line for line in told["said"])
    status, page, _ = ask("GET", "/page")
    assert status == 200
    assert b"for body_mass_g" in page
    assert b'"name":"year"' not in page
    status, model, headers = ask("GET", "/save?file=model")
    assert 'filename="model.glade"' in headers["Content-Disposition"]
    path = tmp_path / "m.glade"
    path.write_bytes(model)
    table = load_penguins().dropna(subset=["body_mass_g"])
    assert load(str(path)).score(table.drop(columns=["body_mass_g", "year"]), table["body_mass_g"]) > 0.7


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/fit", {"targets": ["body_mass_g"]}, "no table yet"),
        ("/check", [], "an object"),
        ("/fit", "{", "Expecting"),
    ],
)
def test_faults_are_sentences(ask, path, body, words):
    status, told, _ = ask("POST", path, body if isinstance(body, str) else json.dumps(body))
    assert status == 422
    assert words in told["fault"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"targets": []}, "at least one target"),
        ({"targets": ["--help"]}, "no column"),
        ({"targets": ["species"], "drop": ["nope"]}, "no column"),
        ({"targets": ["species"], "model": "--output"}, "no model"),
        ({"targets": ["species"], "max_rules": "9; rm"}, "between 1"),
    ],
)
def test_only_columns_of_the_table_reach_a_command(ask, penguins, asked, words):
    ask("POST", "/table?name=penguins.csv", penguins)
    status, told, _ = ask("POST", "/fit", json.dumps(asked))
    assert status == 422
    assert words in told["fault"]


def test_a_table_that_cannot_be_read_says_where(ask):
    status, told, _ = ask("POST", "/table?name=t.csv", b"a,b\n1,2\n3,4,5\n")
    assert status == 422
    assert "line 3" in told["fault"]


def test_names_of_files_stay_in_the_folder(ask, app, penguins):
    assert ask("POST", "/table?name=..%2F..%2Fetc%2Fpasswd.csv", penguins)[0] == 200
    assert app.work.table.parent == app.work.folder
    assert ask("GET", "/save?file=..%2F..%2Fetc%2Fpasswd")[0] == 404
    assert ask("GET", "/../work.py")[0] == 404


def test_what_is_too_large_is_refused_before_it_is_read(ask, monkeypatch):
    monkeypatch.setattr("glade.app.server.MAX_BYTES", 100)
    status, told, _ = ask("POST", "/table?name=t.csv", b"a,b\n" * 50)
    assert status == 413
    assert "100 bytes" in told["fault"]
    assert work_module.MAX_BYTES > 100


def test_a_fit_can_be_stopped_and_nothing_is_left(penguins):
    with AppFolder() as work:
        work.take_table("penguins.csv", penguins)
        work.fit({"targets": ["body_mass_g"]})
        process = work.job.process
        work.stop()
        assert process.poll() is not None
        assert not work.page.exists()
        folder = work.folder
    assert not folder.exists()


def test_the_class_that_is_looked_for_may_be_chosen(ask, penguins):
    ask("POST", "/table?name=penguins.csv", penguins)
    asked = {"targets": ["sex"], "drop": ["year"], "model": "tree"}
    for events in ({"sex": "other"}, {"island": "Dream"}, {"sex": ["male"]}, ["male"]):
        status, told, _ = ask("POST", "/fit", json.dumps(asked | {"events": events}))
        assert status == 422, told
    signs = {}
    for label in ("male", "female"):
        assert ask("POST", "/fit", json.dumps(asked | {"events": {"sex": label}}))[0] == 200
        assert wait_for(ask)["code"] == 0
        page = ask("GET", "/page")[1].decode()
        facts = json.loads(page.split('id="facts">')[1].split("</script>")[0])
        signs[label] = facts["targets"][0]["classes"][facts["events"][0]]
    assert signs == {"male": "male", "female": "female"}


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
def test_a_fit_does_not_outlive_an_app_that_is_killed(penguins, tmp_path):
    (tmp_path / "t.csv").write_bytes(penguins)
    begin = (
        "import sys, time; from pathlib import Path; from glade.app.jobs import Job;"
        "job = Job.start(['fit', 't.csv', '-t', 'species', '--folds', '100'], Path(sys.argv[1]));"
        "print(job.process.pid, flush=True); time.sleep(600)"
    )
    app = subprocess.Popen([sys.executable, "-c", begin, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    fit = int(app.stdout.readline())
    os.kill(fit, 0)  # it is there
    app.kill()
    app.communicate()
    end = time.monotonic() + 15  # the fit alone would take minutes
    while is_running(fit):
        assert time.monotonic() < end
        time.sleep(0.1)


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_browser_that_leaves_is_no_fault_to_print(app, capsys):
    for fault in (ConnectionResetError("gone"), ValueError("a defect")):
        try:
            raise fault
        except type(fault):
            app.handle_error(None, ("127.0.0.1", 1))
    assert "a defect" in (said := capsys.readouterr().err)
    assert "gone" not in said
