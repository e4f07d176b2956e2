"""pyproject.toml says it all, but setuptools leaves data files out of an editable install."""

from setuptools import Distribution, setup


class WithData(Distribution):
    """What answers where setuptools asks whether to install data, and so does install them."""

    has_data = Distribution.has_data_files


setup(distclass=WithData)
