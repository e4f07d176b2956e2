"""Formulas with live numbers in them, as MathML that every browser draws itself."""


def number(value, digits=4):
    """Return a number with fixed digits, or as 3 where only zeros would follow the point.

    Rounded first: a sum of 2.9999999999 and one of 3.0 look the same.
    """
    rounded = round(float(value), digits)
    text = str(int(rounded)) if rounded.is_integer() else f"{rounded:.{digits}f}"
    return f"<mn>{text}</mn>"


def name(text):
    """Return an upright name such as DCG@5."""
    return f'<mi mathvariant="normal">{text}</mi>'


def fraction(above, below):
    """Return one expression over another."""
    return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"


def log2_of(rank):
    """Return log2(rank + 1) with the numbers filled in."""
    return (
        "<msub><mi>log</mi><mn>2</mn></msub>"
        f"<mrow><mo>(</mo><mn>{rank}</mn><mo>+</mo><mn>1</mn><mo>)</mo></mrow>"
    )


def later(expression):
    """Return an expression that is not counted yet, drawn pale."""
    return f'<mrow class="later">{expression}</mrow>'


def equation(*parts):
    """Return a whole formula; strings such as '=' and '+' become operators."""
    body = "".join(part if part.startswith("<") else f"<mo>{part}</mo>" for part in parts)
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{body}</math>'
