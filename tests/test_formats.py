"""The formats: each is valid for whoever reads it, whatever a source holds; alerts keep their fingerprints."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from conftest import ROOT, Run

from automata.proof import evidence
from spmd.records.alerts import alerts, is_accepted, with_fingerprints
from spmd.records.results import Results
from spmd.report.formats import PLAIN, Format, document
from spmd.rules import PROPERTY_OF, RULES, VERDICTS

GOLDEN = ROOT / "tests" / "golden"
SCHEMA = json.loads((ROOT / "spmd" / "records" / "schema.json").read_text())
SARIF = json.loads((ROOT / "tests" / "schemas" / "sarif-schema-2.1.0.json").read_text())
JUNIT = xmlschema.XMLSchema(str(ROOT / "tests" / "schemas" / "junit.xsd"))
STUDIES = ROOT / "case_studies"
SAMPLES: list[list[object]] = [
    ["check", STUDIES / "array_reversal/racy.cu"], ["check", STUDIES / "transpose/tiled.cu"], ["check", "no_such_file.cu"],
    ["check", GOLDEN / "unread.cu"], ["check", GOLDEN / "undecided.cu"],
    ["check", GOLDEN / "sum.cu", "--block", "32", "--grid", "2", "--arg", "n=64"],
    ["check", GOLDEN / "tile.cu", "--block", "64,32", "--grid", "1"], ["check", GOLDEN / "missing.cu"],
    ["check", ROOT / "tests/kernels/uninitialised.cu", ROOT / "tests/kernels/atomic_counter.cu"],
    ["equiv", GOLDEN / "twice.cu", GOLDEN / "thrice.cu"], ["equiv", GOLDEN / "twice.cu", GOLDEN / "twice.cu"],
    ["equiv", STUDIES / "array_reversal/original.cu", STUDIES / "array_reversal/racy.cu"],
    ["equiv", GOLDEN / "twice.cu", GOLDEN / "unread.cu"], ["equiv", "none.cu", GOLDEN / "unread.cu"],
]
IDS = [f"{args[0]}-{Path(str(args[1])).stem}-{Path(str(args[-1])).stem}" for args in SAMPLES]


def strict(schema: Any) -> Any:
    """The schema, with no field beside those that it lists: so that each field that is written is in it."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: strict(part) for name, part in schema.items()}
    if isinstance(found.get("properties"), dict) and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


RECORDS = jsonschema.Draft202012Validator(strict(SCHEMA))


@pytest.mark.parametrize("args", SAMPLES, ids=IDS)
def test_records_and_sarif_are_as_their_schemas_say(args: list[object], run: Run) -> None:
    said = run(*args, "--format", "jsonl")
    assert said.records
    for record in said.records:
        kind = "equiv" if args[0] == "equiv" else "check"
        RECORDS.evolve(schema=RECORDS.schema | {"anyOf": [{"$ref": f"#/$defs/{kind}"}]}).validate(record)
    for form in (form for form in Format if form not in PLAIN):
        results = Results(said.records)
        text = document(form)(results)
        assert text.strip()
        if form is Format.SARIF:
            jsonschema.Draft4Validator(SARIF).validate(json.loads(text))
        if form is Format.JUNIT:
            junit_is_valid(text)


def test_records_of_a_batch_have_all_formats(run: Run, tmp_path: Path) -> None:
    """Also those of lines that are no records: they name no file, and no proof made them."""
    batch = tmp_path / "launches.jsonl"
    batch.write_text(json.dumps({"file": str(STUDIES / "array_reversal/racy.cu"), "block": [64, 1, 1], "grid": [2, 1, 1]})
                     + '\n{"file": "none.cu"}\n{"file": 3, "kernel": 4}\nno JSON\n')
    log = json.loads(run("check", "--launches", batch, "--format", "sarif").out)
    jsonschema.Draft4Validator(SARIF).validate(log)
    assert [result["ruleId"] for result in log["runs"][0]["results"]].count("invalid") == 3
    junit_is_valid(run("check", "--launches", batch, "--format", "junit").out)
    for form in ("markdown", "github", "html"):
        said = run("check", "--launches", batch, "--format", form)
        assert said.status == 1 and "not JSON" in said.out, said
    known = ("check", "--launches", batch, "--baseline", tmp_path / "base.json")
    assert run(*known, "--write-baseline").status == 0
    assert run(*known).status == 0 and "known" in run(*known).out


def junit_is_valid(text: str) -> None:
    """It is as our schema of JUnit's XML says, and its numbers are those of its cases."""
    JUNIT.validate(text)
    root = ElementTree.fromstring(text)
    for suite in root:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(attribute) or "") == sum(element.tag == tag for element in suite.iter())
    for attribute in ("tests", "failures", "errors"):
        assert int(root.get(attribute) or "") == sum(int(suite.get(attribute) or "") for suite in root)


@pytest.mark.parametrize(("old", "new"), [
    ('<testsuites name="spmd"', '<testsuites name="spmd" skipped="0"'), ("<failure message=", "<failure note="),
    ('classname="', 'class="'), ("</testcase>", "<failure message='a' type='b'/></testcase>"), ("<testcase ", "<case ")])
def test_the_schema_of_junit_refuses(old: str, new: str, run: Run) -> None:
    text = run("check", STUDIES / "array_reversal/racy.cu", "--format", "junit").out
    assert JUNIT.is_valid(text) and old in text
    assert not JUNIT.is_valid(text.replace(old, new).replace("</testcase>", "</case>" if new == "<case " else "</testcase>"))


@pytest.mark.parametrize("form", [form.value for form in Format])
def test_every_format_has_the_same_exit_status(form: str, run: Run) -> None:
    assert run("check", STUDIES / "array_reversal/racy.cu", "--format", form).status == 1


def test_formats_of_alerts_are_for_check_and_equiv(run: Run) -> None:
    said = run("run", STUDIES / "array_reversal/racy.cu", "--format", "sarif")
    assert said.status == 2 and "for check and equiv" in said.err


def test_both_accesses_are_locations_of_one_result(run: Run) -> None:
    log = json.loads(run("check", STUDIES / "array_reversal/racy.cu", "--format", "sarif").out)
    result = next(item for item in log["runs"][0]["results"] if item["ruleId"] == "race")
    lines = [place["physicalLocation"]["region"]["startLine"] for place in (*result["locations"], *result["relatedLocations"])]
    assert sorted(lines) == [10, 11]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "case_studies/array_reversal/racy.cu", "uriBaseId": "%SRCROOT%"}
    rule = log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == "race" and "nothing" in rule["help"]["text"]


def test_every_rule_that_the_code_names_has_an_entry() -> None:
    """A rule without one has no help, no property, and no level of its own."""
    names = {rule.name for rule in (*RULES, *VERDICTS)}
    for path in (ROOT / "automata").rglob("*.py"):
        for found in re.findall(r"\bFinding\(\s*\"([\w-]+)\"", path.read_text()):
            assert found in names, (path, found)


# -- fingerprints ---------------------------------------------------------------------------------


def fingerprints(run: Run, file: Path) -> list[str]:
    return [alert.fingerprint for record in run("check", file, "--format", "jsonl").records for alert in alerts(record)]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a racy kernel in a folder of it."""
    folder = tmp_path / "first"
    (folder / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", folder], check=True)
    shutil.copy(STUDIES / "array_reversal/racy.cu", folder / "src" / "racy.cu")
    return folder


def test_fingerprints_survive_shifted_lines_and_a_renamed_checkout(checkout: Path, run: Run) -> None:
    file = checkout / "src" / "racy.cu"
    before = fingerprints(run, file)
    assert len(set(before)) == len(before) == 2
    text = file.read_text()
    text = text.replace("  int value =", "      int  value  =").replace("in[from];", "in[from]; // x")
    file.write_text("\n\n// a comment more\n" + text)
    assert fingerprints(run, file) == before
    checkout.rename(checkout.with_name("second"))
    assert fingerprints(run, checkout.with_name("second") / "src" / "racy.cu") == before


@pytest.mark.parametrize(("old", "new"), [("s[threadIdx.x]", "s[threadIdx.x + 0u]"), ("reverse_unsynchronised", "reverse_other")])
def test_fingerprints_do_not_survive_what_makes_another_defect(old: str, new: str, checkout: Path, run: Run) -> None:
    file = checkout / "src" / "racy.cu"
    before = fingerprints(run, file)
    file.write_text(file.read_text().replace(old, new))
    assert not set(before) & set(fingerprints(run, file))


def test_the_same_text_twice_has_two_fingerprints() -> None:
    finding = {"rule": "race", "status": "confirmed", "message": "m", "array": "a",
               "places": [{"file": "x.cu", "line": 3, "column": 1, "text": "a[0] = t;", "access": "write"}]}
    record = with_fingerprints({"verdict": "refuted", "file": "x.cu", "kernel": "k", "findings": [dict(finding), dict(finding)],
                                "properties": {"race-free": "refuted"}})
    one, two = (alert.fingerprint for alert in alerts(record))
    assert one[:-2] == two[:-2] and one.endswith(":1") and two.endswith(":2")


# -- what counts ----------------------------------------------------------------------------------


def test_an_accepted_race_does_not_accept_what_else_is_open() -> None:
    """Only the findings of a property explain that it is not shown."""
    race = {"rule": "race", "status": "confirmed", "message": "m", "array": "a", "places": [], "known": True}
    record = {"verdict": "refuted", "file": "x.cu", "kernel": "k", "findings": [race],
              "properties": {"race-free": "refuted", "no-wrap": "unknown"}}
    assert not is_accepted(with_fingerprints(record))
    assert [alert.rule for alert in alerts(record)] == ["race", "unknown"]
    assert is_accepted(with_fingerprints({**record, "properties": {"race-free": "refuted", "no-wrap": "proved"}}))
    assert is_accepted(with_fingerprints({**record, "known": True}))


@pytest.mark.parametrize("verdict", ["refuted", "unknown", "unsupported", "invalid", "fault"])
def test_a_verdict_without_findings_is_an_alert(verdict: str) -> None:
    record = {"verdict": verdict, "file": "x.cu", "kernel": "k", "findings": [], "properties": {}}
    assert len(alerts(record)) == 1 and not is_accepted(with_fingerprints(record))
    assert is_accepted({**record, "known": True}) is (verdict != "fault")


# -- whatever a source holds -----------------------------------------------------------------------

NASTY = ["a::b%,c", "x\ny", "|", "`` ` ``", "<script>alert(1)</script>", "@owner #12", "]]>", "\x00\x1b[31m", "é\u2028𝄞",
         "*_~[x](y)", "```", "</details>", "--> <!--", "\\|", "'\"&"]


def nasty_records() -> Iterator[dict[str, Any]]:
    for text in NASTY:
        file = f"dir {text}/k.cu".replace("\x00", "")
        place = {"file": file, "line": 2, "column": 300 if text == "|" else 1, "text": text * 40, "access": text,
                 "thread": {"block": [0, 0, 0], "thread": [1, 0, 0]}}
        finding = {"rule": "race", "status": "confirmed", "exactness": "CIDI", "message": text, "array": text,
                   "places": [place, place], "note": text, "sizes": {text: 1}}
        yield with_fingerprints({
            "schema": "spmd/1", "id": text, "file": file, "kernel": text, "launch": {}, "verdict": "refuted", "scope": text,
            "reason": text, "reason_at": place, "properties": {"race-free": "refuted"}, "findings": [finding],
            "assumptions": [text], "writes": 1, "seconds": 0.5, "evidence": text, "next": text})


@pytest.fixture(scope="module")
def nasty() -> Results:
    records = list(nasty_records())
    item = {"rule": "race", "file": "a:b,c%.cu", "line": 1, "kernel": "k|<x>", "message": "m\nn", "fingerprint": "0" * 20 + ":1"}
    return Results(records, fixed=[item], idle=[item], has_baseline=True)


def test_nasty_texts_stay_valid_sarif_and_xml(nasty: Results) -> None:
    log = json.loads(document(Format.SARIF)(nasty))
    jsonschema.Draft4Validator(SARIF).validate(log)
    states = [result.get("baselineState") for result in log["runs"][0]["results"]]
    assert states.count("absent") == 1 and states.count("new") == len(NASTY)
    junit_is_valid(document(Format.JUNIT)(nasty))


def test_nasty_texts_stay_one_annotation_each(nasty: Results) -> None:
    text = document(Format.GITHUB)(nasty)
    assert len(text.rstrip("\n").split("\n")) == len(NASTY) + 3
    for line in text.rstrip("\n").split("\n"):
        command, properties, *_ = re.fullmatch(r"::(\w+) (.*?)::(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
        assert command in ("error", "warning", "notice")
        for part in properties.split(","):
            name, _, value = part.partition("=")
            assert name in ("file", "line", "col", "title") and ":" not in value


def test_nasty_texts_do_not_become_markup(nasty: Results) -> None:
    text = document(Format.MARKDOWN)(nasty)
    outside = re.sub(r"^(`{3,})[^\n]*\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    outside = re.sub(r"<code>[^<]*</code>|(`+).*?(?<!`)\1(?!`)", "", outside)
    assert not any(sign in outside.replace("\\]", "") for sign in ("<script", "@owner", "#12", "](y)"))
    assert outside.count("<details>") == outside.count("</details>") == len(NASTY)
    rows = [line for line in text.split("\n") if line.startswith("| ❌")]
    assert rows and all(row.count("|") == 6 for row in rows)


def test_a_comment_has_a_limit() -> None:
    many = Results([{**record, "assumptions": ["x" * 400] * 10} for _ in range(40) for record in nasty_records()][:300])
    text = document(Format.MARKDOWN)(many)
    assert len(text) < 65_536 * 2 and "do not fit in a comment" in text


def test_a_rule_breaks_one_property_for_everybody() -> None:
    """What `spmd explain` says a rule breaks, and what a finding of it leaves open in a report."""
    of_reports = {rule: broken.value for rule, broken in evidence.PROPERTY_OF.items()}
    assert of_reports == {rule: name for rule, name in PROPERTY_OF.items() if rule in of_reports}
