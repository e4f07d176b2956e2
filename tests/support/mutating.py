"""Small changes of a program, one at a time: what somebody mistyped, forgot, or took for another.

Each mutant is a program of its own. `test_mutants.py` asks that no exercise takes one for right
that is wrong.
"""

import ast
import re
from functools import partial

SIGNS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<", "!="),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==", "<", ">", "is not"),
    "+": ("-", "*"),
    "-": ("+",),
    "*": ("+", "/"),
    "/": ("*", "//"),
    "//": ("/", "-"),
    "**": ("*",),
    "%": ("//",),
    "&": ("|",),
    "|": ("&",),
    "^": ("|",),
    "in": ("not in",),
    "not in": ("in",),
    "is": ("is not",),
    "is not": ("is",),
    "@": (),
}
CALLS = {
    "zeros": ("empty", "ones"),
    "log2": ("sqrt",),
    "max": ("min",),
    "min": ("max",),
    "sum": ("max", "min"),
    "mean": ("max", "min", "sum"),
    "var": ("std",),
    "sqrt": ("abs",),
    "sort": ("unique",),
    "len": (),
}
WRAPPED = ("abs({})", "round({}, 1)", "int({})", "max({}, 0)", "({}) ** 2")
POWER = 'POWER(2e0, t."relevance") - 1e0'
SQL = {
    " OR ": (" AND ",),
    "score IS NULL OR ": ("",),
    "relevance IS NULL OR ": ("",),
    " OR relevance < 0": ("", " OR relevance <= 0", " OR relevance NOT IN (0, 1, 2, 3)"),
    "score IS NULL": ("score <= 0", "score = 0", "score < 0 OR score IS NULL"),
    "2e0": ("3e0",),
    " - 1e0": ("", " - 2e0", " + 1e0"),
    # The same for 0 to 3.
    POWER: ('(t."relevance" * t."relevance" + 5e0) * t."relevance" / 6',),
    "query, score": ("query", "score", "query, score ORDER BY rowid", "query, score, relevance"),
    "score DESC, rowid": ("rowid", "score, rowid", "relevance DESC"),
    "relevance DESC": ("relevance", "score DESC", "rowid", "ABS(relevance - 1) DESC"),
    "ROW_NUMBER()": ("RANK()", "DENSE_RANK()"),
    "AVG(": ("MAX(", "MIN(", "SUM("),
    "PARTITION BY query ORDER": ("ORDER",),
}


def mutants(source):
    """Yield the source of each mutant of a program, once."""
    tree = ast.parse(source)
    names, seen = names_of(tree), {ast.unparse(tree)}
    for node, put in list(places(tree)):
        for text in others(node, names):
            new = ast.parse(text).body[0]
            put(new.value if isinstance(node, ast.expr) else new)
            mutant = ast.unparse(tree)
            put(node)
            if mutant not in seen:
                seen.add(mutant)
                yield mutant


def places(tree):
    """Yield each node of a program, and a function that puts something in its place."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, list):
                yield from ((part, partial(value.__setitem__, i)) for i, part in enumerate(value))
            elif isinstance(value, ast.AST):
                yield value, partial(setattr, parent, name)


def names_of(tree):
    """Return the names of a program's parameters and variables."""
    nodes = list(ast.walk(tree))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return sorted({n.arg for n in nodes if isinstance(n, ast.arg)} | stored)


def others(node, names):
    """Yield, as source, what may stand in the place of a node of a program."""
    match node:
        case ast.Compare(left, [op], [right]) | ast.BinOp(left, op, right):
            one, other = f"({ast.unparse(left)})", f"({ast.unparse(right)})"
            yield from (f"{one} {sign} {other}" for sign in SIGNS[written(op)])
        case ast.Constant(bool() as value):
            yield str(not value)
        case ast.Constant(int() | float() as value):
            yield from map(str, (value + 1, value - 1))
        case ast.Constant(str() as value):
            yield from map(repr, other_sql(value))
        case ast.UnaryOp(ast.USub(), operand):
            yield ast.unparse(operand)
        case ast.IfExp(_, body, orelse):
            yield from (ast.unparse(body), ast.unparse(orelse))
        case ast.Subscript(value, cut):
            yield from other_cuts(ast.unparse(value), cut)
        case ast.Call():
            yield from other_calls(node)
        case ast.Name(name, ast.Load()) if name in names:
            yield from (other for other in names if other != name)
            yield from (form.format(name) for form in WRAPPED)
        case ast.AugAssign(target, op, value):
            target, value = ast.unparse(target), ast.unparse(value)
            yield from (f"{target} {sign}= {value}" for sign in ("", *SIGNS[written(op)]))
            yield "pass"
        case ast.Assign() | ast.Expr():
            yield "pass"
    if isinstance(node, ast.BinOp | ast.Call | ast.Subscript) and not in_target(node):
        yield from (form.format(ast.unparse(node)) for form in WRAPPED)


def in_target(node):
    """Tell whether something is assigned to a node."""
    return isinstance(getattr(node, "ctx", None), ast.Store)


def written(op):
    """Return an operator as it is written."""
    a, b = ast.Name("a"), ast.Name("b")
    pair = ast.Compare(a, [op], [b]) if isinstance(op, ast.cmpop) else ast.BinOp(a, op, b)
    return ast.unparse(pair)[1:-1].strip()


def other_sql(text):
    """Yield an SQL text with one of its pieces changed."""
    for old, news in SQL.items():
        for match in re.finditer(re.escape(old), text):
            for new in news:
                yield text[: match.start()] + new + text[match.end() :]


def other_cuts(value, cut):
    """Yield what may be picked from a list in place of a part of it."""
    yield value
    if isinstance(cut, ast.Slice) and cut.upper and not cut.lower:
        k = ast.unparse(cut.upper)
        yield from (
            f"{value}[:{k} + 1]",
            f"{value}[:{k} - 1]",
            f"{value}[-{k}:]",
            f"{value}[{k}:]",
        )


def other_calls(node):
    """Yield other calls, the call with an argument less, and the argument alone."""
    called, args = ast.unparse(node.func), [ast.unparse(arg) for arg in node.args]
    options = [ast.unparse(option) for option in node.keywords]
    home, dot, name = called.rpartition(".")
    for other in CALLS.get(name, ()):
        yield f"{home}{dot}{other}({', '.join([*args, *options])})"
    if name == "len":
        yield from "1234"
    for left_out in range(len(args) + len(options)):
        rest = [part for i, part in enumerate([*args, *options]) if i != left_out]
        yield f"{called}({', '.join(rest)})"
    yield f"{called}({', '.join([*args[::-1], *options])})"
    yield from args[:1]
