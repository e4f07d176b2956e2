"""The contrast of two colors, as WCAG 2.2 defines it, and what each kind of vision sees."""

import numpy as np


def linear(channels):
    """Return the light of red, green and blue, from 0 to 1, of channels from 0 to 255."""
    parts = (channel / 255 for channel in channels)
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(channels):
    """Return the relative luminance of a color: red, green and blue, each from 0 to 255."""
    return sum(
        w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear(channels), strict=True)
    )


def contrast(one, other):
    """Return the contrast of two colors, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen_as(channels, vision):
    """Return a color as somebody sees it who lacks a cone, in OKLab (lightness, two of hue).

    The matrices are those of Machado, Oliveira and Fernandes (2009) for a whole lack, OKLab is
    Björn Ottosson's (2020).
    """
    seen = np.clip(VISIONS[vision] @ linear(channels), 0, 1)
    return TO_OKLAB @ np.cbrt(TO_CONES @ seen)


VISIONS = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def turned_in_jupyterlab(channels):
    """Return a color as a dark JupyterLab shows it on what is live, by the filter `TURNED`."""
    return np.clip(HALF_A_TURN @ np.clip(0.9 * 255 - 0.8 * np.array(channels), 0, 255), 0, 255)


def turned(channels):
    """Return a color as a dark page shows it on what is live, by `TURNED` and `SEPIA`."""
    return np.clip(BROWNER @ turned_in_jupyterlab(channels), 0, 255)


# The matrices are those of the W3C's Filter Effects Module.
TURNED, SEPIA = "invert(0.9) hue-rotate(180deg)", "sepia(0.12)"
HALF_A_TURN = 2 * np.array([0.213, 0.715, 0.072]) - np.eye(3)
BROWN = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
BROWNER = 0.12 * np.array(BROWN) + 0.88 * np.eye(3)
