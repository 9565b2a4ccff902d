"""Starts a server that is watched: `python -m loadtest_probe --folder FOLDER -- uvicorn app:app --workers 2`."""

import argparse
import os
import stat
import sys
from pathlib import Path

from loadtest_probe import settings


def main(arguments: "list[str]") -> int:
    """Become the server, in this very process: signals and exit status are the server's own."""
    parser = argparse.ArgumentParser(prog="loadtest_probe")
    parser.add_argument("--folder", required=True, type=Path, help="private folder (0700) for the documents")
    parser.add_argument("--code-folder", type=Path, default=Path(), help="folder of the app's own files")
    parser.add_argument("--reach", action="store_true", help="tell only which of its functions run")
    parser.add_argument("--stacks", action="store_true", help="tell only which functions take its CPU time")
    parser.add_argument("--outside", action="store_true", help="tell only which hosts it tries to reach")
    parser.add_argument("--memory", action="store_true", help="tell only which lines keep memory")
    parser.add_argument("command", nargs="+", metavar="-- COMMAND", help="the server's command")
    parsed = parser.parse_args(arguments)
    problem = folder_problem(parsed.folder)
    if problem is not None:
        print(f"loadtest_probe: {problem}", file=sys.stderr)
        return 2
    command: list[str] = parsed.command
    variables = watched_variables(dict(os.environ), parsed.folder, parsed.code_folder)
    if parsed.reach:
        variables[settings.REACH] = "yes"
    if parsed.stacks:
        variables[settings.STACKS] = "yes"
    if parsed.outside:
        variables[settings.OUTSIDE] = "yes"
    if parsed.memory:
        variables[settings.MEMORY] = "yes"
    try:
        os.execvpe(command[0], command, variables)  # noqa: S606 - the user's own command, as a list
    except OSError as error:
        print(f"loadtest_probe: {command[0]} could not be started: {error.strerror}", file=sys.stderr)
        return 127


def watched_variables(variables: "dict[str, str]", folder: Path, app_folder: Path) -> "dict[str, str]":
    """The environment of a watched server. Python imports `sitecustomize` of this path before anything else."""
    start = str(Path(__file__).resolve().parent / "start")
    former = variables.get("PYTHONPATH")
    if former is not None:
        variables[settings.FORMER_PATH] = former
    variables["PYTHONPATH"] = os.pathsep.join([start, former] if former else [start])
    variables[settings.FOLDER] = str(folder.resolve())
    variables[settings.APP_FOLDER] = str(app_folder.resolve())
    return variables


def folder_problem(folder: Path) -> "str | None":
    """Why the documents would not be private there."""
    try:
        about = folder.stat()
    except OSError as error:
        return f"the folder {folder} cannot be used: {error.strerror}"
    if not stat.S_ISDIR(about.st_mode):
        return f"{folder} is not a folder"
    if about.st_uid != os.geteuid() or about.st_mode & 0o077:
        return f"the folder {folder} must be the caller's own, with mode 0700"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
