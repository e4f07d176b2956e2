"""Which tests notice a changed line: the mutants of `mutants.json`, and what kills each of them.

    make mutants                  tries those without a result, and counts what killed them
    python tools/mutants.py 18    chooses those in Python anew, by lot: 18 is the seed of these

Each changes one line, which is found by its text, in a clone of the last commit. The first tier
whose tests fail has killed it; without its `killed` it is tried again. One that changes nothing
says why, under `equivalent`. Those in JavaScript are chosen by hand.
"""

import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from mutating import WRAPPED, in_target, others

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tools" / "mutants.json"
# How many are chosen from which files.
LIBRARY = ("metrics/*.py", "tuning/*.py", "ranking.py", "significance.py")
CHOSEN = (
    (50, [f"src/ndcglib/{name}" for name in LIBRARY]),
    (15, ["helpers/*.py", "src/course/figures/*.py"]),
    (10, ["src/course/explorers/**/*.py"]),
)
# Signs, constants and parts of lists; a call or an assignment that lacks something falls at once.
KINDS = (
    ast.Compare,
    ast.BinOp,
    ast.UnaryOp,
    ast.AugAssign,
    ast.Constant,
    ast.Subscript,
    ast.IfExp,
)
NBVAL = (
    "--nbval --nbval-current-env --nbval-cell-timeout=600 --nbval-sanitize-with tests/nbval.cfg"
)
# In the order in which they are tried, the quick ones first.
TIERS = {
    "push: tests of the file": "{near} --push",
    "push: notebooks": f"notebooks {NBVAL}",
    "push: tests of the room": "{room} --push",
    "push: tests without a browser": "tests --push --ignore={room} --ignore=tests/browser",
    "push: tests in a browser": "tests/browser --push",
    "later": "tests -m full",
}
OPTIONS = ("-x", "-rfE", "--tb=no", "-o", "faulthandler_timeout=600")


def choose(seed):
    """Return mutants of lines of Python drawn by lot, one of each line."""
    luck, chosen = random.Random(seed), []
    for how_many, patterns in CHOSEN:
        files = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
        lines = [line for path in files for line in changed_lines(path)]
        for path, before, after in luck.sample(lines, how_many):
            file = path.relative_to(ROOT).as_posix()
            chosen.append({"file": file, "before": before, "after": luck.choice(after)})
    return chosen


def changed_lines(path):
    """Return path, text and changed texts of each line of a file's functions that can change.

    A line whose text is there twice is left out: a mutant is found by the text of its line.
    """
    source = path.read_text(encoding="utf-8")
    lines, found = source.splitlines(), {}
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
    for node in (n for function in functions for part in function.body for n in ast.walk(part)):
        if isinstance(node, KINDS) and node.lineno == node.end_lineno and not in_target(node):
            line = lines[node.lineno - 1]
            if lines.count(line) == 1:
                found.setdefault(line, set()).update(changed(line, node))
    return [(path, line, sorted(texts)) for line, texts in found.items() if texts]


def changed(line, node):
    """Yield a line with one of its nodes changed."""
    code = line.encode()  # a node counts bytes
    start, end = code[: node.col_offset].decode(), code[node.end_col_offset :].decode()
    if start.endswith("strict="):
        return  # of two lists that are as long as each other anyway
    same = {form.format(ast.unparse(node)) for form in ("{}", *WRAPPED)}
    for other in set(others(node, names=())) - same:
        if isinstance(node, ast.expr):
            other = ast.unparse(ast.parse(other, mode="eval"))
        if isinstance(node, ast.BinOp | ast.Compare):
            other = f"({other})"
        yield start + other + end


def noticed_by(mutant, call):
    """Return the first test that notices a mutant, of those that pytest runs if called so."""
    room = "tests/" + mutant["file"].removeprefix("src/").split("/")[0]
    near = " ".join(named_after(ROOT / mutant["file"])) or room
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "-q", "--shared", ROOT, folder], check=True)
        run(folder, "tests/support/tiers.py")  # as if all explorers had been visited before
        change(Path(folder, mutant["file"]), mutant)
        asked = call.format(near=near, room=room).split()
        tests = run(folder, "-m", "pytest", *OPTIONS, *asked)
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", tests.stdout, re.MULTILINE)
    return found[1] if found else "no end" if tests.returncode else ""


def named_after(path):
    """Yield the tests without a browser that are called after a file or its folder."""
    words = [path.stem.removesuffix("_chart").rstrip("s"), path.parent.name.rstrip("s")]
    for test in sorted(ROOT.glob("tests/*/test_*.py")):
        if test.parent.name != "browser" and any(word in test.stem for word in words):
            yield test.relative_to(ROOT).as_posix()


def change(path, mutant):
    """Put the changed line of a mutant into a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if lines.count(mutant["before"]) != 1:
        raise ValueError(f"{path} must have once the line {mutant['before']!r}: choose another")
    lines[lines.index(mutant["before"])] = mutant["after"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(folder, *arguments):
    """Run Python in a clone, with the packages of this environment, and let others go first."""
    path = os.pathsep.join(str(Path(folder, part)) for part in ("", "src", "tests/support"))
    environment = {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    command = ["nice", sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def keep(mutants):
    """Write the mutants, with what is known of them."""
    KEPT.write_text(json.dumps(mutants, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main(words):
    """Choose the mutants in Python, or try those without a result."""
    mutants = json.loads(KEPT.read_text(encoding="utf-8"))
    if words:
        keep(choose(int(words[0])) + [one for one in mutants if one["file"].endswith(".js")])
        return
    for tier, call in TIERS.items():
        for mutant in mutants:
            survived = mutant.get("survived", [])
            if tier in survived or mutant.keys() & {"killed", "equivalent"}:
                continue
            if test := noticed_by(mutant, call):
                mutant |= {"killed": tier, "test": test}
            else:
                mutant["survived"] = [*survived, tier]
            keep(mutants)
            print(f"{tier}: {test or 'survived'}: {mutant['after'].strip()}", flush=True)
    for fate, count in Counter(map(fate_of, mutants)).most_common():
        print(f"{count:3} {fate}")


def fate_of(mutant):
    """Return the tier that killed a mutant, or what else is known of it."""
    return "changes nothing" if "equivalent" in mutant else mutant.get("killed", "survived")


if __name__ == "__main__":
    main(sys.argv[1:])
