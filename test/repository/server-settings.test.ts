import { expect, test } from "vitest";

import { servers } from "../../src/model/workload/servers.ts";
import { overruledIn, settledCommand } from "../../src/repository/server-settings.ts";

test.for<readonly [given: string, argv: string | undefined, configuration?: string, further?: string]>([
  ["gunicorn app:x -b :1", "gunicorn --config OURS app:x -b :1", "./gunicorn.conf.py"],
  ["/venv/bin/gunicorn -c deploy/g.py app:x", "/venv/bin/gunicorn --config OURS app:x", "deploy/g.py"],
  ["gunicorn -cg.py --config=python:deploy.g app:x", "gunicorn --config OURS app:x", "python:deploy.g"],
  ["gunicorn app:x --config file:g.py", "gunicorn --config OURS app:x", "file:g.py"],
  ["gunicorn app:x --config", "gunicorn --config OURS app:x", "./gunicorn.conf.py"],
  ["python -m gunicorn app:x", "python -m gunicorn --config OURS app:x", "./gunicorn.conf.py"],
  [
    "python -m loadtest_probe -- gunicorn -c g.py x",
    "python -m loadtest_probe -- gunicorn --config OURS x",
    "g.py",
  ],
  ["gunicorn app:x", "gunicorn --config OURS app:x", "g.py", "--workers 3 -c g.py"],
  ["uvicorn app:x --port 1", undefined],
  ["python serve_gunicorn.py", undefined],
])("%s becomes %s", ([given, argv, configuration, further]) => {
  const [program = "", ...words] = given.split(" ");
  const variables = further === undefined ? {} : { GUNICORN_CMD_ARGS: further };
  const made = settledCommand([program, ...words], variables);
  expect(made?.argvWith("OURS").join(" ")).toBe(argv);
  expect(made?.configuration).toBe(configuration);
});

test.for<readonly [text: string, names: readonly string[]]>([
  ["daemon = True\nerrorlog = './logs/e.txt'", ["daemon", "errorlog"]],
  ['accesslog = "-"\nerrorlog = "-"  # ours', []],
  ["max_requests = int(os.environ['N'])\nmax_requests_jitter=50", ["max_requests", "max_requests_jitter"]],
  ["max_requests = 0\ncapture_output = False\npidfile = None\nlogconfig_dict = {}", []],
  ["if True:\n    reload = True\nlogconfig_dict = {'version': 1}", ["reload", "logconfig_dict"]],
  ['bind = "0.0.0.0:80"\nworkers = 4\npreload_app = True\ntimeout = 90', ["bind"]],
  ["# daemon = True\nif daemon == 1: pass\nmy_daemon = True", []],
  ["syslog = True\ncertfile = 'a.pem'\nkeyfile = 'b.pem'", ["syslog", "certfile", "keyfile"]],
])("%j overrules %j", ([text, names]) => {
  const { settings = { overruled: [] } } = servers.find(({ name }) => name === "gunicorn") ?? {};
  expect(overruledIn(text, ["gunicorn", "app:x", "--bind", "127.0.0.1:1"], settings)).toEqual(names);
});
