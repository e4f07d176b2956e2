"""A hub for the walk: anybody may come, and each user's server is a process of this machine."""

import os
from pathlib import Path

folder = Path(os.environ["HUB_FOLDER"])
c = get_config()  # noqa: F821

c.JupyterHub.bind_url = os.environ["HUB_ADDRESS"]
c.JupyterHub.hub_port = int(os.environ["HUB_PORT"])
c.JupyterHub.db_url = f"sqlite:///{folder}/hub.sqlite"
c.JupyterHub.cookie_secret_file = str(folder / "cookie_secret")
c.ConfigurableHTTPProxy.command = [os.environ["HUB_PROXY"], "--log-level=error"]
c.ConfigurableHTTPProxy.api_url = os.environ["HUB_PROXY_API"]
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{folder}/homes/{{username}}"
c.Spawner.environment = {
    "OPENBLAS_NUM_THREADS": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
c.Spawner.args = ["--allow-root"] if os.geteuid() == 0 else []
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
c.JupyterHub.concurrent_spawn_limit = 8  # the rest wait, as on a hub
# A container has a limit of memory; here each process has one of address space.
limit = int(os.environ["HUB_MEGABYTES"]) * 1024
c.Spawner.cmd = ["bash", "-c", f'ulimit -v {limit}; exec jupyterhub-singleuser "$@"', "one"]
c.JupyterHub.services = [{"name": "walk", "api_token": os.environ["HUB_TOKEN"]}]
c.JupyterHub.load_roles = [
    {
        "name": "walk",
        "services": ["walk"],
        "scopes": ["admin:users", "admin:servers", "access:servers"],
    }
]
