"""What JupyterLab and IPython are told by an install of the course."""
