"""The app's own configuration of gunicorn, without what would take the server away from those who measure it.

gunicorn runs this file as its configuration. `LOADTEST_SERVER_CONFIG` names the app's own as gunicorn would be given
it. What a command line sets comes after both.
"""

import importlib
import os

_place = os.environ["LOADTEST_SERVER_CONFIG"]
if _place.startswith("python:"):
    globals().update(vars(importlib.import_module(_place.removeprefix("python:"))))
else:
    _path = _place.removeprefix("file:")
    _own = {"__name__": "__config__", "__file__": _path}
    with open(_path, "rb") as _file:
        exec(compile(_file.read(), _path, "exec"), _own)  # noqa: S102 - it is what gunicorn would run
    globals().update({name: value for name, value in _own.items() if not name.startswith("__")})

# A variable that is set here is the database's or one of `app-env`.
raw_env = [each for each in globals().get("raw_env", []) if each.split("=", 1)[0] not in os.environ]

# Without these the server leaves, hides why it failed, ends its workers under load, or wants what both versions cannot
# have at once. The table of servers in src/model/workload/servers.ts has the same names.
daemon = False
pidfile = None
reload = False
check_config = False
print_config = False
control_socket_disable = True
errorlog = "-"
accesslog = None
capture_output = False
logconfig = None
logconfig_dict: dict[str, object] = {}
logconfig_json = None
syslog = False
max_requests = 0
max_requests_jitter = 0
certfile = None
keyfile = None
user = None
group = None
