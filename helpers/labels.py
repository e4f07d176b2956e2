"""Labels beside a panel: near where they belong, and never one over another."""


def apart(places, heights, low=0.0, high=1.0):
    """Move labels along a panel so that none covers another and none leaves it.

    `places` are where their middles belong, `low` and `high` the ends of the panel, which must
    have room for all. Of two that touch the upper one gives way, as long as there is room.

    Examples
    --------
    >>> apart([0.8, 0.2], [0.1, 0.1])
    [0.8, 0.2]
    >>> apart([1.0, 1.0], [0.5, 0.5])
    [0.25, 0.75]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    middles, floor, ceiling = [float(place) for place in places], low, high
    for i in order:  # from below, each above the one before
        middles[i] = max(middles[i], floor + heights[i] / 2)
        floor = middles[i] + heights[i] / 2
    for i in reversed(order):  # from above, back inside
        middles[i] = min(middles[i], ceiling - heights[i] / 2)
        ceiling = middles[i] - heights[i] / 2
    return middles
