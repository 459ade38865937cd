"""The page: complete in itself, well formed whatever a source holds, and what it shows of a run is what happened there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run
from test_formats import NASTY, nasty_records

from spmd.asked import Question, Source
from spmd.pipeline import run_check
from spmd.records.result import check_record
from spmd.records.results import Results
from spmd.report.html import html
from spmd.report.pictures import with_pictures
from spmd.report.sources import sources_of

STUDIES, KERNELS = ROOT / "case_studies", ROOT / "tests" / "kernels"
VOID = {"meta", "br", "link", "img"}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)


class Page(HTMLParser):
    """The structure of a page. AssertionError where tags are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.ids: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.cells: list[dict[str, str | None]] = []
        self.feed(text)
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.stack.append(tag)
        self.ids.update(value or "" for name, value in attrs if name == "id")
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag == "td":
            self.cells.append(dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.stack and self.stack.pop() == tag, tag


def sound(text: str) -> Page:
    """A page that is well formed, loads nothing, and whose names inside are unlike."""
    page = Page(text)
    assert max(page.ids.values(), default=1) == 1
    for name, value in page.attributes:
        assert name not in ("src", "srcset", "action") and not name.startswith("on"), (name, value)
        assert not re.match(r"\w+:", value) if name == "href" else True
    assert "default-src 'none'" in text and not re.search(r"url\((?!#)|@import|fetch\(|XMLHttp", text)
    return page


@pytest.mark.parametrize("args", [
    ["check", STUDIES / "array_reversal/racy.cu", STUDIES / "array_reversal/optimised.cu", ROOT / "tests/golden/unread.cu"],
    ["check", "none.cu"], ["check", KERNELS / "loop_nested_x.cu"],
    ["equiv", STUDIES / "vector_add/original.cu", STUDIES / "vector_add/mutants/second_dropped.cu"],
    ["equiv", STUDIES / "array_reversal/original.cu", STUDIES / "array_reversal/optimised.cu"],
    ["equiv", STUDIES / "array_reversal/original.cu", STUDIES / "array_reversal/racy.cu"]], ids=range(6))
def test_a_page_needs_nothing_else(args: list[object], run: Run) -> None:
    said = run(*args, "--format", "html")
    page = sound(said.out)
    assert page.ids["results"] == 1 and said.out.count("<article") >= 1


def test_nasty_texts_stay_text() -> None:
    records = list(nasty_records())
    for record in records:
        place = record["findings"][0]["places"][0]
        record["pictures"] = {
            "automata": {record["kernel"]: {
                "title": record["kernel"], "entry": 0, "exit": 1, "boxes": [{"segment": 0, "locations": [0, 1]}],
                "edges": [{"source": 0, "target": 1, "label": record["kernel"], "sync": False}]}},
            "sources": [{"file": place["file"], "first": 1, "lines": [place["text"], place["text"]]}],
            "memory": {"grid": [1, 1, 1], "block": [2, 1, 1], "ran": [[0, 0, 0]], "scalars": {record["kernel"]: record["kernel"]},
                       "segments": [1], "more_segments": False, "arrays": [
                           {"name": record["kernel"], "space": "global", "block": None, "hidden": 0, "row": 1, "is_flat": True,
                            "indices": [0], "about": [0], "names": [record["kernel"]],
                            "segments": {"1": {"0": {"by": [[[0, 0, 0], [0, 0, 0], "w"]], "more": 0, "conflict": True}}}}]}}
    text = html(Results(records))
    page = sound(text)
    assert "<script>alert" not in text and text.count("<article") == len(NASTY) == text.count("</article>")
    assert len([cell for cell in page.cells if "met" in (cell.get("class") or "") and cell.get("aria-label")]) == len(NASTY)


def test_a_page_of_many_kernels_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    record, shown = memory(STUDIES / "array_reversal/racy.cu")
    assert shown and html(Results([{**record}, {**record}])).count("Who touches") == 2
    monkeypatch.setattr("spmd.report.html.LARGEST", 1000)
    text = html(Results([{**record}, {**record}]))
    assert text.count("Who touches") == 1 and text.count("Pictures are left out") == 1 and sound(text)


# -- what is shown of a run --------------------------------------------------------------------------


def memory(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    (answer, *_) = run_check(Question(Source(str(path))))
    record = with_pictures(check_record(answer), answer)
    json.dumps(record)
    return record, record["pictures"]["memory"]


def test_the_conflict_is_shown_with_both_threads() -> None:
    record, shown = memory(STUDIES / "array_reversal/racy.cu")
    (array,) = (array for array in shown["arrays"] if array["name"] == "s")
    place = record["findings"][0]["places"]
    cell = array["segments"]["1"][str(place[0]["index"][0])]
    threads = [one["thread"]["thread"] for one in place]
    assert cell["conflict"] and sorted(thread for _, thread, _ in cell["by"]) == sorted(threads)
    assert sorted(kind for *_, kind in cell["by"]) == ["r", "w"]
    others = [each for at, each in array["segments"]["1"].items() if at != str(place[0]["index"][0])]
    assert not any("conflict" in each for each in others) and all(len(each["by"]) == 2 for each in others)


@pytest.mark.parametrize("path", [
    STUDIES / "array_reversal/optimised.cu", STUDIES / "transpose/tiled.cu", KERNELS / "loop_interleaved_tree_ok.cu",
    KERNELS / "loop_matrix_tiles_ok.cu"], ids=lambda path: path.stem)
def test_in_a_proved_kernel_no_thread_meets_another_within_a_segment(path: Path) -> None:
    record, shown = memory(path)
    assert record["verdict"] == "proved" and len(shown["segments"]) > 1
    cells = [cell for array in shown["arrays"] for part in array["segments"].values() for cell in part.values()]
    assert {sign for cell in cells for *_, kind in cell["by"] for sign in kind} == {"r", "w"}
    for cell in cells:
        assert not cell.get("conflict") and (len(cell["by"]) == 1 or not any("w" in kind for *_, kind in cell["by"]))


def test_atomic_updates_are_told_from_writes() -> None:
    record, shown = memory(KERNELS / "atomic_two_counters_ok.cu")
    cells = [cell for array in shown["arrays"] for part in array["segments"].values() for cell in part.values()]
    assert cells and all(kind == "u" for cell in cells for *_, kind in cell["by"]) and all(cell["more"] for cell in cells)
    assert "updates it atomically" in html(Results([{**record, "pictures": {"memory": shown}}]))


def test_what_is_not_at_hand_is_made_anew() -> None:
    """An answer from the cache has lost what its proofs made."""
    (answer,) = run_check(Question(Source(str(STUDIES / "array_reversal/racy.cu"))))
    record = check_record(answer)
    whole = with_pictures(record, answer)["pictures"]
    answer.analysis = None
    again = with_pictures(record, answer)["pictures"]
    assert again["automata"] == whole["automata"] and again["memory"] == whole["memory"] and again["memory"]["segments"] == [1]


def test_a_run_that_is_too_large_is_left_out(kernel_file: Any) -> None:
    path = kernel_file("// spmd: block=64 grid=1 n=100000000\n__global__ void k(float *a, int n) {\n"
                       "  for (int i = 0; i < n; i++) a[threadIdx.x] += a[threadIdx.x] * 0.5f;\n}\n")
    record, shown = memory(path)
    assert shown is None and "Who touches" not in html(Results([record]))


def test_the_cell_that_differs_is_marked_on_both_sides(run: Run) -> None:
    folder = STUDIES / "vector_add"
    text = run("equiv", folder / "original.cu", folder / "mutants/second_dropped.cu", "--format", "html").out
    cells = [cell for cell in sound(text).cells if "met" in (cell.get("class") or "")]
    marked = [cell["aria-label"] or "" for cell in cells if "aria-label" in cell]
    assert len(marked) == 2 and marked[0].startswith("c[128]: thread 128 writes") and marked[1] == "c[128]: no thread touches it"
    assert text.count('class="row hit"') >= 1


@pytest.mark.parametrize(("name", "told"), [
    ("unpack_four_x", "a[0]: no thread touches it"), ("add_pairs_x", "No thread touches memory")])
def test_a_side_that_does_not_touch_the_array_says_so(name: str, told: str, run: Run) -> None:
    folder = ROOT / "tests" / "pairs" / name
    text = run("equiv", folder / "a.cu", folder / "b.cu", "--format", "html").out
    assert told in text and sound(text)


def test_the_source_runs_to_the_closing_brace(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("int x;\ntemplate <int N>\n// says\n__global__ void k() {\n  puts(\"}}}\"); // }\n  if (1) { }\n}\nint y;\n"
                    + "\n" * 40 + "int z;\n")
    places = [{"file": str(path), "line": line} for line in (49, 6)]
    (kernel, other) = sources_of([{"file": str(path), "line": 4}], places)
    assert (kernel["first"], len(kernel["lines"])) == (2, 6) and other["first"] == 46 and other["lines"][-1] == ""
    assert sources_of([{"file": "none.cu", "line": 3}], [{"file": "<spmd's cuda.h>", "line": 3}]) == []


# -- in a browser --------------------------------------------------------------------------------------

CLICKS = """<script>
const seen = {width: document.documentElement.scrollWidth <= window.innerWidth, errors: 0};
window.addEventListener("error", () => seen.errors++);
const met = document.querySelector("figure td.met");
met.focus();
met.dispatchEvent(new FocusEvent("focus"));  // a window in the background is told of none
const told = met.closest("section").querySelector(".told");
seen.told = told.textContent;
met.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
seen.next = told.textContent;
seen.moved = document.activeElement !== met && document.activeElement.tagName === "TD";
document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Home", bubbles: true}));
seen.home = document.activeElement.getAttribute("aria-label");
const details = document.querySelector("details");
const before = details.open;
details.querySelector("summary").click();
seen.folds = details.open !== before;
document.querySelector("nav a").click();
seen.went = location.hash;
seen.labels = [...document.querySelectorAll("svg text.label")].length;
document.body.setAttribute("data-seen", JSON.stringify(seen));
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_works_in_a_browser(width: int, run: Run, tmp_path: Path) -> None:
    text = run("check", STUDIES / "array_reversal/racy.cu", ROOT / "tests/programs/reversal.cu", "--format", "html").out
    page = tmp_path / "page.html"
    page.write_text(text.replace("</body>", CLICKS + "</body>"))
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
               f"--window-size={width},900", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r'data-seen="([^"]*)"', done.stdout)
    assert found, done.stderr[-2000:]
    seen = json.loads(found[1].replace("&quot;", '"'))
    assert seen["told"].startswith("s[0]: here they meet: thread 63 writes; thread 0 reads")
    assert seen["next"].startswith("s[1]:") and seen["moved"] and seen["home"].startswith("s[0]") and seen["folds"]
    assert seen["went"] == "#k0" and seen["errors"] == 0 and seen["width"] and seen["labels"] > 3
