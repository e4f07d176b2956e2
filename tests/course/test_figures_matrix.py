"""The matrix of values: numbers in cells, words and a table with all of them."""

import pytest
from stage import in_plotly

from course.figures import describe, matrix

ROWS = {"one": [0.25, None], "two": [0.75, 1.0], "three": [0.25, 1.0]}


def test_cells_words_and_table_hold_the_same_numbers():
    figure = matrix(ROWS, ["left", "right"], title="Two columns", measure="NDCG@5")
    [cells] = in_plotly(figure).data
    assert [list(row) for row in cells.text] == [
        ["0.250", "–"],
        ["0.750", "1.000"],
        ["0.250", "1.000"],
    ]
    assert list(cells.y) == ["one", "two", "three"]
    words = describe(figure)
    assert words.sentence == "Different values of NDCG@5: 2 on left; 1 on right."
    assert words.rows == [[name, *row] for name, row in ROWS.items()] + [
        ["different values", 2, 1]
    ]
    assert (
        in_plotly(figure).layout.height
        > in_plotly(matrix({"one": [0.5]}, ["left"], title="One")).layout.height
    )


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="each of 2 columns, but 'one' has 1"):
        matrix({"one": [0.5]}, ["left", "right"], title="Two columns")
