"""Formulas with live numbers in them, as MathML that every browser draws itself."""

from ndcglib.metrics.checks import SAME_VALUE

GAP = '<mspace width="1.3em"/>'  # between two statements
LATER = '<mrow class="later">'
MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML" displaystyle="true">'


def number(value, digits=4):
    """Return `digits_of` a number."""
    return f"<mn>{digits_of(value, digits)}</mn>"


def digits_of(value, digits=4):
    """Write a number with fixed digits, or as 3 where only zeros would follow the point.

    Rounded first: a sum of 2.9999999999 and one of 3.0 look the same.
    """
    rounded = round(float(value), digits)
    return str(int(rounded)) if rounded.is_integer() else f"{rounded:.{digits}f}"


def name(text):
    """Return an upright name such as DCG@5."""
    return f'<mi mathvariant="normal">{text}</mi>'


def fraction(above, below):
    """Return one expression over another."""
    return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"


def minus(one, other):
    """Return one expression less another."""
    return f"{one}<mo>−</mo>{other}"


def relation(value, digits=4):
    """Return the sign before a number of so many digits: whether that is all of it."""
    return "=" if abs(value - round(value, digits)) <= SAME_VALUE else "≈"


def log2_of(rank):
    """Return log2(rank + 1) with the numbers filled in."""
    return (
        "<msub><mi>log</mi><mn>2</mn></msub>"
        f"<mrow><mo>(</mo><mn>{rank}</mn><mo>+</mo><mn>1</mn><mo>)</mo></mrow>"
    )


def later(*parts):
    """Return a part of a formula that is not counted yet, drawn pale."""
    return f"{LATER}{''.join(map(_markup, parts))}</mrow>"


def equation(*parts):
    """Return a whole formula; strings such as '=' and '+' become operators.

    A long formula wraps: a line may begin with an operator, or after a `GAP`. No
    browser breaks a line inside of MathML, so each such piece is a `math` of its own.
    """
    pieces = [[]]
    for part in parts:
        if not part.startswith("<") or part.startswith(LATER) or pieces[-1][-1:] == [GAP]:
            pieces.append([])
        pieces[-1].append(part)
    drawn = ["".join(map(_markup, piece)) for piece in pieces if piece]
    return "<wbr>".join(f"{MATH}{piece}</math>" for piece in drawn)


def _markup(part):
    # An operator at the beginning of a row would count as a sign, and lose its spaces.
    return part if part.startswith("<") else f'<mo form="infix">{part}</mo>'
