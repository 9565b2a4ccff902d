/** A file below test/ and the title of one of its tests, or of a group of them. */
export type NamedTest = readonly [path: string, title: string];

/** Tests of each row of docs/internals/threat-model.md. A row without any says there why. */
export const testsOf: Readonly<Record<string, readonly NamedTest[]>> = {
  T1: [
    ["commands/request.test.ts", "T1, T11: what measures is started with %s"],
    ["contract/trust-zones.test.ts", "T1, T11, T12, T13, T23, T28: $place keeps the trust zones apart"],
    ["contract/workflows.test.ts", "T1: has no step but the action's own, which posts"],
    [
      "end-to-end/fork.test.ts",
      "T1 to T4: a fork's run leaves its report, and the posting workflow comments it",
    ],
  ],
  T2: [
    ["adapters/forge/run.test.ts", "T2, T16, T17: an archive that is none of ours is refused whole"],
    ["forge/posting/artifact.test.ts", "T2, T16, T17: an archive is judged by its list of contents"],
  ],
  T3: [
    ["forge/forges.test.ts", "T3: the event's number must be that of %s"],
    ["adapters/forge/run.test.ts", "T3: GitHub alone says where a report goes"],
    [
      "forge/posting/measured-run.test.ts",
      "T3, F31: the pull request is the one open one at the run's commit",
    ],
  ],
  T4: [["forge/posting/strangers-report.test.ts", "T4, T30: nothing that a stranger worded is shown"]],
  T5: [
    ["text/markdown.test.ts", "a table keeps its shape, and nothing in it is live"],
    ["report/render/hostile.test.ts", "markdown has our elements and rows only, and nothing live"],
    [
      "forge/posting/strangers-report.test.ts",
      "T5, T31: whatever a stranger's texts are, the comment has our elements only, and nothing live or unseen",
    ],
    [
      "report/render/every-text.test.ts",
      "T5, T6, T30, T31: no text of a document changes the form of a report, or is live in it",
    ],
    ["report/causes/causes.test.ts", "whatever the app calls its files, functions and routes"],
    ["history/trends/trends-page.test.ts", "whatever the history holds, no markup of its own comes out"],
    [
      "history/trends/summary.test.ts",
      "whatever an endpoint or a file is called, the summary has only our elements and a log no command",
    ],
  ],
  T6: [
    ["text/markdown.test.ts", "a code block is not closed from within"],
    ["forge/comment-marker.test.ts", "any report id round-trips, and the HTML comment ends only at the end"],
    [
      "report/render/every-text.test.ts",
      "T5, T6, T30, T31: no text of a document changes the form of a report, or is live in it",
    ],
  ],
  T7: [
    ["adapters/forge/pull-request-comment.test.ts", "is found on page 3 of 250, among people who quote it"],
  ],
  T8: [
    [
      "end-to-end/runner-commands.test.ts",
      "T8: a workflow's runner obeys nothing of what a failing app prints",
    ],
    ["end-to-end/cli.test.ts", "T8: what an app prints before it fails commands the runner nothing"],
    ["adapters/terminal/terminal.test.ts", "lets no foreign text command the runner"],
    ["text/printable.test.ts", "no text holds a command for the runner, or moves the cursor"],
  ],
  T9: [["adapters/runner/runner.test.ts", "cannot be broken out of"]],
  T10: [
    ["adapters/server/app-server.timed.test.ts", "sees only allowed variables"],
    ["adapters/process/child-process.test.ts", "children get the allow-listed variables and what is added"],
    [
      "adapters/runner/summary.test.ts",
      "T10: what an app writes into the job's summary does not stay, as it would pass for our report",
    ],
  ],
  T11: [
    [
      "contract/trust-zones.test.ts",
      "T11: GitLab's job with the token leaves the folder of the project, where measured code may have left an .npmrc",
    ],
    [
      "contract/handed-secrets.test.ts",
      "T11: no process can read secrets from the variables of the one that measures",
    ],
    ["forge/token-variables.test.ts", "T11: tokens in a workflow's environment: %s"],
    ["end-to-end/cli.test.ts", "T11: a token in the environment of what measures"],
    ["contract/inputs.test.ts", "hands the report its inputs, and it and the announcement alone the token"],
    ["contract/workflows.test.ts", "T11, T32: hand secrets of a login to the step that measures alone"],
    [
      "adapters/python/environment.test.ts",
      "T11: installers get the variables of a private index, over those of the job",
    ],
    ["adapters/process/child-process.test.ts", "children get the allow-listed variables and what is added"],
  ],
  T12: [
    ["forge/stored-credentials.test.ts", "T12: git's configuration with %s"],
    ["adapters/git/stored-credentials.test.ts", "T12: a credential in %s ends the run"],
    ["contract/trust-zones.test.ts", "a change for the worse is told"],
    ["contract/workflows.test.ts", "T2, T12: upload documents by name, never a folder"],
  ],
  T13: [
    ["contract/trust-zones.test.ts", "a change for the worse is told"],
    [
      "adapters/process/child-process.test.ts",
      "both outputs are appended to the log, and arguments are just text",
    ],
  ],
  T14: [
    ["adapters/git/base.test.ts", "is what the merge was made with, even when the event names an older base"],
  ],
  T15: [
    [
      "adapters/results/results-directory.test.ts",
      "T15: is not shared by two runs, but one that was killed does not hold it",
    ],
    [
      "forge/posting/strangers-report.test.ts",
      "T3, T4, T15, T18, F44: what lies costs itself its place and nothing more",
    ],
    ["compare/comparison.test.ts", "trusts neither of two results for one cell"],
    [
      "model/measurement/documents.test.ts",
      "T15: reads the same document once, and each of two that claim one cell",
    ],
    [
      "commands/publication.test.ts",
      "T15: of a matrix: its jobs' results are put together, but none that two jobs claim",
    ],
    [
      "end-to-end/two-reports.long.test.ts",
      "reports of one run that nobody has named do not replace each other; one that would is told",
    ],
    [
      "adapters/forge/pull-request-comment.test.ts",
      "of another job of the run is not replaced, and the job is told",
    ],
  ],
  T16: [["adapters/forge/run.test.ts", "T2, T16, T17: an archive that is none of ours is refused whole"]],
  T17: [
    ["adapters/forge/run.test.ts", "300 MB in 300 kB, %s: within two seconds and 200 MB"],
    ["forge/posting/strangers-report.test.ts", "T17: of a hundred thousand lists, at once"],
    ["adapters/results/results-directory.test.ts", "a document of absurd size is refused, not read"],
    ["fuzz/configuration-file.test.ts", "T17: a file that is a bomb is refused at once"],
  ],
  T18: [
    [
      "fuzz/documents.test.ts",
      "T18, T19: a Measurement document is used or left out, and no number is invented",
    ],
    [
      "fuzz/configuration-file.test.ts",
      "T18, T19: a configuration file is read, or refused with the places of what is wrong",
    ],
    [
      "fuzz/probe.test.ts",
      "T18, T19, T37: what the probe wrote is used or left out, and no number is invented",
    ],
    [
      "fuzz/openapi.test.ts",
      "T18, T29: an app's OpenAPI document gives requests that can be sent, or the reason why not",
    ],
  ],
  T19: [
    [
      "fuzz/documents.test.ts",
      "T18, T19: a Measurement document is used or left out, and no number is invented",
    ],
    ["fuzz/documents.test.ts", "T19: a k6 summary is read, or refused by name"],
    [
      "fuzz/load-records.test.ts",
      "T18, T19: records of a load are read, or refused by name, and no number is invented",
    ],
  ],
  T20: [
    ["adapters/k6/load-generator.timed.test.ts", "only loopback can be reached"],
    ["config/targets.test.ts", "%j is refused"],
  ],
  T21: [
    [
      "adapters/k6/load-generator.timed.test.ts",
      "T11, T21: a script sees what it is given and no variable of the job's",
    ],
    ["adapters/process/child-process.test.ts", "children get the allow-listed variables and what is added"],
  ],
  T22: [
    ["report/sections/scripts-section.test.ts", "of a fork has none of its author's words"],
    [
      "report/sections/scripts-section.test.ts",
      "is on the page and in the terminal, with nothing of it live",
    ],
  ],
  T23: [
    ["contract/trust-zones.test.ts", "a change for the worse is told"],
    ["contract/workflows.test.ts", "pins one action at one version"],
    ["contract/workflows.test.ts", "T23: %s runs the action of its own commit, whoever pins it"],
    ["contract/pins.test.ts", "T23: the check of all pins"],
  ],
  T24: [
    [
      "contract/install-k6.test.ts",
      "T24: what is not k6's release is refused at once, and nothing of it is kept",
    ],
    ["contract/install-k6.test.ts", "T24: the action gets k6 by that step alone, and hands on where it is"],
    ["contract/install-k6.test.ts", "T24: of what setup-k6-action left, nothing with another hash is run"],
    ["contract/install-k6.test.ts", "T24: a server that does not have it is asked again, then named"],
    ["contract/release-archive.test.ts", "an archive without the program is refused"],
    ["contract/release-archive.test.ts", "every platform of every program has a hash of its own"],
    ["adapters/postgres/database-server.test.ts", "are locked by hash, and no registry is named"],
  ],
  T25: [
    ["contract/scripts.test.ts", "is the same from any folder, in any time zone and language"],
    ["contract/scripts.test.ts", "T25: of which one character is another's is told"],
    [
      "contract/workflows.test.ts",
      "T25, T26: a release attests its bundle and what is in it, and publishes those very files",
    ],
  ],
  T26: [["contract/scripts.test.ts", "$path has a hash for every package"]],
  T27: [
    ["contract/workflows.test.ts", "T27: uses no cache"],
    [
      "contract/preflight.test.ts",
      "T27: nothing is taken from a cache, or put there, for `%s`, whatever else is said",
    ],
    ["adapters/postgres/seed-snapshot.test.ts", "cannot change what was kept: the system refuses"],
  ],
  T28: [["contract/trust-zones.test.ts", "a change for the worse is told"]],
  T29: [
    ["report/render/hostile.test.ts", "a megabyte in each text renders within a second"],
    ["text/markdown.test.ts", "%s takes linear time"],
    ["repository/hostile-sources.test.ts", "T29: to look for apps in %s takes no time"],
    ["endpoints/openapi.test.ts", "T29: of a schema that holds %s is none, at once"],
  ],
  T30: [
    ["report/render/hostile.test.ts", "markdown has our elements and rows only, and nothing live"],
    ["forge/posting/strangers-report.test.ts", "T4, T30: nothing that a stranger worded is shown"],
  ],
  T31: [
    ["text/markdown.test.ts", "a table keeps its shape, and nothing in it is live"],
    ["text/html.test.ts", "lets no tag, quote or unseen character through"],
  ],
  T32: [
    ["contract/workflows.test.ts", "T11, T32: hand secrets of a login to the step that measures alone"],
    [
      "end-to-end/endpoints.long.test.ts",
      "opens what is protected, and its secret is in nothing that is written",
    ],
    ["text/redact.test.ts", "hides $name"],
    ["adapters/runner/runner.test.ts", "a secret is hidden by a command that cannot be broken out of"],
    ["text/redact.test.ts", "T32: logins in addresses: %s"],
    ["fuzz/configuration-file.test.ts", "T32: what a file says of secrets is in no message about it"],
    ["contract/workflows.test.ts", "T32: keep those secrets from the action's own steps that do not measure"],
  ],
  T33: [
    ["adapters/postgres/database-server.test.ts", "listens on loopback alone"],
    ["adapters/postgres/database-server.test.ts", "refuses %s"],
    ["adapters/postgres/database-server.test.ts", "does not run as root, and its data are closed to others"],
  ],
  T34: [
    ["forge/comment-marker.test.ts", "any text parses to something"],
    [
      "adapters/forge/pull-request-comment.test.ts",
      "F45: a run without a result corrects what an earlier run commented",
    ],
  ],
  T36: [
    ["adapters/process/plain-file.test.ts", "T36: a file of somebody else's folder"],
    ["adapters/files/configuration-file.test.ts", "T36: a configuration file that is a device"],
    ["adapters/python/source-files.test.ts", "T36: a repository full of traps"],
    [
      "adapters/results/results-directory.test.ts",
      "T36: a link or a pipe in the place of a document is not read",
    ],
    ["adapters/python/imported-app.test.ts", "T36: an app's document: %s"],
    ["end-to-end/foreign-files.long.test.ts", "T36: $argv.0: $kind as $path is named within five seconds"],
  ],
  T37: [
    ["adapters/server/probe.timed.test.ts", "T37: only plain files of the workers are read"],
    [
      "adapters/server/probe.timed.test.ts",
      "T37: of files without end only as much as a hundred workers would write, and no pipe is waited for",
    ],
    ["diagnosis/probe-documents.test.ts", "never throws"],
    [
      "fuzz/probe.test.ts",
      "T18, T19, T37: what the probe wrote is used or left out, and no number is invented",
    ],
  ],
  T38: [
    ["adapters/git/file.test.ts", "runs no program that the repository names for diffs"],
    ["adapters/git/file.test.ts", "neither is one that nobody committed, nor a link"],
  ],
  T39: [
    [
      "adapters/python/environment.test.ts",
      "T39: commands are words and no shell's, see no token, and are told without passwords",
    ],
    ["config/file/configuration-file.test.ts", "refuses %s"],
  ],
  T40: [
    ["repository/hostile-sources.test.ts", "T29: to look for apps in %s takes no time"],
    ["repository/hostile-sources.test.ts", "T29: nor in five thousand modules of one folder"],
    ["repository/hostile-sources.test.ts", "T29: to read the Python that %s ask for takes no time"],
  ],
  T41: [
    [
      "end-to-end/hostile-steps.long.test.ts",
      "T41: in one job, nothing that an app leaves for later steps reads their token",
    ],
    [
      "adapters/runner/command-files.test.ts",
      "T10: an app that finds GITHUB_ENV and %s changes nothing for later steps",
    ],
    [
      "adapters/process/child-process.test.ts",
      "what has left its group and its parent is killed in the end, by its mark",
    ],
    [
      "contract/preflight.test.ts",
      "Node, the event and proxies are known by what is in them, as the later steps compute it",
    ],
    ["contract/checked-programs.test.ts", "T41: %s is seen by %s, which starts nothing"],
    ["contract/checked-programs.test.ts", "T41: %s is seen after measuring, and all are removed"],
    [
      "contract/checked-programs.test.ts",
      "T41: what is uploaded holds no link, which the upload would follow with a token in its variables",
    ],
    ["contract/checked-programs.test.ts", "after a measurement %s is refused in the same job: %s"],
    [
      "contract/checked-programs.test.ts",
      "T41: where what measured has said %s at its end, it was killed, and only our own stays",
    ],
    ["contract/checked-programs.test.ts", "T41: a process %s that what measured has left: %o, killed: %s"],
    [
      "contract/handed-secrets.test.ts",
      "T41: only what has ended by itself can say the word that it was handed",
    ],
  ],
  T42: [
    [
      "adapters/k6/extensions.test.ts",
      "a script that asks for an extension by %s is told, and no other k6 is fetched",
    ],
  ],
  T43: [
    ["adapters/forge/acceptances.test.ts", "T43: somebody with the role %s: %i accepted, %i refused"],
    ["forge/acceptance.test.ts", "T43: nothing that is printed"],
    ["forge/acceptance.test.ts", "T43: only the commit that is reported"],
    ["adapters/forge/acceptances.test.ts", "T43: does not take anybody else's comment for a report"],
    ["adapters/forge/acceptances.test.ts", "T43: counts for who put it there, if that person may write"],
  ],
  T44: [
    [
      "adapters/forge/gitlab/merge-request-note.test.ts",
      "T44: no line of a log is a command of GitLab's, neither in a new note nor in a changed one",
    ],
    ["forge/gitlab/gitlab.test.ts", "T44: no line begins with a slash"],
  ],
  T45: [
    ["adapters/services/own-stores.test.ts", "refuses %s"],
    ["adapters/services/own-stores.test.ts", "a program that is no Python is seen from outside"],
    ["measure/other-store.test.ts", "what is somebody else's is told %s, and there is no load"],
    ["measure/other-store.test.ts", "T45: without such a start, those that are measured are: %o"],
  ],
  F1: [
    ["adapters/server/app-server.timed.test.ts", "%s with %i workers says why"],
    ["adapters/server/app-server.timed.test.ts", "says at once when it exits"],
  ],
  F2: [["adapters/server/app-server.timed.test.ts", "F2: is not ready in time: %s"]],
  F3: [
    ["adapters/server/app-server.timed.test.ts", "loses a worker, which uvicorn replaces without a word"],
    ["measure/measure.test.ts", "in the middle of the load stops k6 and shows the end of the server's log"],
    [
      "measure/measure.test.ts",
      "in the load's last moment, which nobody has told yet when k6 ends, is a failure all the same",
    ],
  ],
  F4: [
    ["adapters/server/app-server.timed.test.ts", "finds its port taken"],
    ["adapters/server/app-server.timed.test.ts", "is not taken for a stranger that answers in its place"],
  ],
  F5: [["adapters/server/app-server.timed.test.ts", "kills what ignores TERM after three seconds"]],
  F6: [
    [
      "adapters/postgres/database-server.test.ts",
      "what a killed run left on a server of the caller's is dropped by the next, and nothing else",
    ],
    [
      "adapters/process/child-process.test.ts",
      "F6: what a killed owner left is killed, and nothing of an owner that lives",
    ],
    [
      "adapters/process/work-folder.test.ts",
      "F6: the folder of a run that was killed is removed by the next",
    ],
    ["end-to-end/chaos.long.test.ts", "whatever happens at whatever moment, the invariants hold"],
  ],
  F7: [
    [
      "end-to-end/cancellation.long.test.ts",
      "F7: whose output nobody reads any more is cancelled as by SIGPIPE, with nothing left",
    ],
    ["end-to-end/waits.test.ts", "%s is cancelled while it waits for: %s"],
    ["end-to-end/cli.test.ts", "while %s: children gone, results on disk, 130, within 7 s"],
    ["end-to-end/cancellation.long.test.ts", "F7: cancelled while %s by %s: nothing is left within 7 s"],
    ["adapters/forge/announcement.test.ts", "F7: a run that is cancelled"],
    [
      "contract/workflows.test.ts",
      "F7: take an announcement back when the run is cancelled, and report after it at the earliest",
    ],
  ],
  F8: [
    ["adapters/postgres/database-server.test.ts", "does not run as root, and its data are closed to others"],
  ],
  F9: [
    [
      "adapters/postgres/database-server.test.ts",
      "a server that cannot start is seen at once, with its own words",
    ],
    ["adapters/postgres/session.test.ts", "a server that lets us in and never answers is given up, in words"],
  ],
  F10: [["adapters/postgres/database-server.test.ts", "%s is told with file, line and statement"]],
  F11: [
    ["diagnosis/remedies.test.ts", "F11: %s names the database's limit"],
    ["measure/measure.test.ts", "F11: of an app whose database had no connection left says so"],
    ["diagnosis/findings.test.ts", "finds $name"],
  ],
  F12: [["adapters/python/environment.test.ts", "says what is wrong: %s"]],
  F13: [["adapters/k6/load-generator.timed.test.ts", "a k6 that LOADTEST_K6 names and that %s is bad input"]],
  F14: [["adapters/k6/load-generator.timed.test.ts", "a k6 that $name is an error with its reason"]],
  F15: [
    ["measure/measure.test.ts", "is what a load with $name is"],
    ["adapters/k6/load-generator.timed.test.ts", "a stale summary is never read"],
  ],
  F17: [
    ["adapters/process/child-process.test.ts", "a program that is stalled is stopped in time, and named"],
    ["adapters/k6/load-generator.timed.test.ts", "F17: a k6 that hangs is stopped, and said to have hung"],
  ],
  F18: [
    [
      "adapters/results/results-directory.test.ts",
      "F18: a failed write says why, how much room there is, and leaves what was there",
    ],
    [
      "commands/publication.test.ts",
      "the table, the summary and the comment come all the same, and then the error",
    ],
    ["errors/machine-fault.test.ts", "F18: %s is the machine's fault, in its words"],
    [
      "adapters/postgres/seed-snapshot.test.ts",
      "a disk that is too small is told with what is needed and what is free",
    ],
    ["adapters/process/folder.test.ts", "where nothing can be made, trying ends"],
    [
      "adapters/python/environment.test.ts",
      "a cache that was written in part, or is none, is made anew and serves the run after",
    ],
  ],
  F19: [
    ["adapters/server/app-server.timed.test.ts", "says at once when it exits"],
    ["adapters/process/child-process.test.ts", "tells how %j ended"],
  ],
  F20: [
    ["compare/comparison.test.ts", "shows a planned cell without a result as missing"],
    ["commands/publication.test.ts", "without any result still makes a report"],
  ],
  F21: [
    ["compare/comparison.test.ts", "passes on why there is only one arm"],
    ["adapters/git/base.test.ts", "is none when it can neither be found nor fetched"],
  ],
  F22: [["forge/posting/artifact.test.ts", "F22: of a run's artifacts the report is %s"]],
  F23: [
    [
      "contract/print-results.test.ts",
      "F23: results that could not be uploaded are in the log, and can be had from it",
    ],
    ["adapters/forge/run.test.ts", "F23: an artifact that cannot be had at once"],
  ],
  F24: [
    ["adapters/forge/faults.test.ts", "what GitHub refuses is an outcome with the remedy"],
    [
      "end-to-end/fork.test.ts",
      "T1 to T4: a fork's run leaves its report, and the posting workflow comments it",
    ],
  ],
  F25: [["adapters/forge/faults.test.ts", "what GitHub refuses is an outcome with the remedy"]],
  F26: [["adapters/forge/faults.test.ts", "the hourly limit is waited for when it ends soon"]],
  F27: [["adapters/forge/faults.test.ts", "reading and updating are tried again"]],
  F28: [
    [
      "adapters/forge/one-comment.test.ts",
      "$operation is answered with $answer $times times, carried out: $isCarriedOut",
    ],
    ["adapters/forge/one-comment.test.ts", "a list without end is told, and nothing is written"],
    ["adapters/forge/faults.test.ts", "a create whose fate is unknown makes one comment, not two"],
  ],
  F29: [
    [
      "adapters/forge/race.test.ts",
      "F29, F30: a hundred random schedules of runs and attempts: one comment, the newest data",
    ],
    [
      "adapters/forge/race.test.ts",
      "F29, F30: a hundred random schedules of runs that begin and end: one comment, nothing newer is lost",
    ],
  ],
  F30: [
    [
      "adapters/forge/race.test.ts",
      "F29, F30: a hundred random schedules of runs and attempts: one comment, the newest data",
    ],
    ["adapters/forge/pull-request-comment.test.ts", "is never overwritten by an older run"],
  ],
  F31: [
    [
      "forge/posting/measured-run.test.ts",
      "T3, F31: the pull request is the one open one at the run's commit",
    ],
    ["forge/forges.test.ts", "pull requests that get no comment"],
  ],
  F32: [
    ["adapters/forge/pull-request-comment.test.ts", "survives being deleted between our look and our write"],
  ],
  F33: [["report/render/markdown/fit.test.ts", "gives way in that order as the limit shrinks"]],
  F34: [
    ["report/render/markdown/fit.test.ts", "stays below what the runner takes"],
    ["adapters/runner/runner.test.ts", "is left alone when nothing fits any more"],
  ],
  F35: [["forge/forges.test.ts", "events without a pull request"]],
  F36: [
    ["forge/forges.test.ts", "every variable at fault is named"],
    ["adapters/runner/runner.test.ts", "outside of a workflow nothing is written or printed"],
  ],
  F37: [
    ["adapters/forge/run.test.ts", "is read and posted, where the API begins at %j"],
    ["contract/trust-zones.test.ts", "F37: no address of GitHub's API is written down but its default"],
  ],
  F38: [
    ["contract/preflight.test.ts", "F37, F38: whether %s takes artifacts is known, and said in one sentence"],
    [
      "end-to-end/pull-request.long.test.ts",
      "both forms of the action comment in one place, the newest run of them",
    ],
  ],
  F39: [["contract/preflight.test.ts", "F39: everything missing is said in one annotation"]],
  F40: [["end-to-end/chaos.long.test.ts", "whatever happens at whatever moment, the invariants hold"]],
  F42: [["adapters/server/app-server.timed.test.ts", "may print what is not UTF-8"]],
  F43: [
    ["adapters/server/app-server.timed.test.ts", "may print without end"],
    ["adapters/process/output-log.test.ts", "a log that has grown too large keeps its end"],
    [
      "adapters/process/output-log.test.ts",
      "F43: one that was quiet and then prints as fast as it can is noticed in time",
    ],
    ["adapters/services/companion.test.ts", "its log is cut down to its end when it grows too large"],
  ],
  F44: [
    ["model/measurement/documents.test.ts", "parseMeasurements"],
    [
      "forge/posting/strangers-report.test.ts",
      "T3, T4, T15, T18, F44: what lies costs itself its place and nothing more",
    ],
  ],
  F45: [
    [
      "commands/publication.test.ts",
      "F45: without either, an earlier run's comment is corrected, and nothing else is made",
    ],
    [
      "adapters/forge/pull-request-comment.test.ts",
      "F45: a run without a result corrects what an earlier run commented",
    ],
    ["report/forge/no-report.test.ts", "F45: says which run has no result, and where to look"],
    [
      "end-to-end/pull-request.long.test.ts",
      "both forms of the action comment in one place, the newest run of them",
    ],
    ["adapters/forge/announcement.test.ts", "F45: an announced run that comes to nothing: %s"],
    ["forge/posting/inputs.test.ts", "F45: of a report's inputs %j enough is read to correct a comment"],
    ["commands/publication.test.ts", "F45: one that cannot be read corrects it, too"],
  ],
  F46: [
    ["contract/preflight.test.ts", "F46: Node %s"],
    ["contract/scripts.test.ts", "F46: the bundle asks for no newer Node than the first step does"],
  ],
};

/**
 * Tests of each kind of what an outside review of hostile and unlucky cases found. One of them is often a table: its
 * cases are those of the kind.
 */
export const testsOfKinds: Readonly<Record<string, readonly NamedTest[]>> = {
  "the user's own data": [
    ["adapters/services/own-stores.test.ts", "refuses %s"],
    ["adapters/services/own-stores.test.ts", "lets pass %s"],
    ["adapters/services/own-stores.test.ts", "a command's own folder may hold a database"],
    [
      "adapters/services/own-stores.test.ts",
      "a server is refused as soon as it opens one, and its home and temporary files are its own",
    ],
    ["measure/other-store.test.ts", "what is somebody else's is told %s, and there is no load"],
    ["adapters/services/own-stores.test.ts", "a program that is no Python is seen from outside"],
    [
      "adapters/git/commit-range.test.ts",
      "an app that removes git's folder of its checkout leads no git to a repository around it",
    ],
  ],
  "a hash that binds no name": [
    ["contract/checked-programs.test.ts", "T41: %s is seen by %s, which starts nothing"],
    ["contract/checked-programs.test.ts", "a step with the token reads nothing that runs an app"],
    ["contract/checked-programs.test.ts", "nothing is started without hashes from before"],
    [
      "contract/checked-programs.test.ts",
      "announcing comes before anything that an earlier run may have filled",
    ],
    ["contract/checked-programs.test.ts", "after a measurement %s is refused in the same job: %s"],
  ],
  "what hostile code could write is believed": [
    ["forge/forges.test.ts", "T3: the event's number must be that of %s"],
    [
      "contract/preflight.test.ts",
      "Node, the event and proxies are known by what is in them, as the later steps compute it",
    ],
    ["adapters/forge/run.test.ts", "T3: GitHub alone says where a report goes"],
    [
      "adapters/runner/command-files.test.ts",
      "T10: an app that finds GITHUB_ENV and %s changes nothing for later steps",
    ],
    [
      "adapters/runner/summary.test.ts",
      "T10: what an app writes into the job's summary does not stay, as it would pass for our report",
    ],
    ["contract/checked-programs.test.ts", "T41: %s is seen after measuring, and all are removed"],
    [
      "contract/checked-programs.test.ts",
      "T41: a variable that came meanwhile, which leads connections or Node elsewhere, is seen: %o",
    ],
    [
      "contract/checked-programs.test.ts",
      "T41: what is uploaded holds no link, which the upload would follow with a token in its variables",
    ],
    [
      "contract/preflight.test.ts",
      "T27: nothing is taken from a cache, or put there, for `%s`, whatever else is said",
    ],
    [
      "contract/checked-programs.test.ts",
      "T41: where what measured has said %s at its end, it was killed, and only our own stays",
    ],
    [
      "contract/handed-secrets.test.ts",
      "T41: only what has ended by itself can say the word that it was handed",
    ],
  ],
  "a credential on disk": [
    ["adapters/git/stored-credentials.test.ts", "T12: a credential in %s ends the run"],
    [
      "forge/stored-credentials.test.ts",
      "every place that is looked at is refused or reported, and only if it holds something",
    ],
    ["forge/stored-credentials.test.ts", "what a configuration includes, under any condition"],
    ["forge/token-variables.test.ts", "T11: tokens in a workflow's environment: %s"],
    ["forge/stored-credentials.test.ts", "T12: git's configuration with %s"],
    ["forge/stored-credentials.test.ts", "variables that lead to credentials are reported"],
    ["adapters/git/stored-credentials.test.ts", "a login of a registry is told"],
    [
      "contract/trust-zones.test.ts",
      "T11: GitLab's job with the token leaves the folder of the project, where measured code may have left an .npmrc",
    ],
  ],
  "secrets reach the app": [
    [
      "contract/handed-secrets.test.ts",
      "T11: no process can read secrets from the variables of the one that measures",
    ],
    ["contract/handed-secrets.test.ts", "the program gets all of them, and hands none to a child"],
    ["adapters/process/child-process.test.ts", "children get the allow-listed variables and what is added"],
    ["model/endpoint/login.test.ts", "T11: a pull request's own file cannot ask for %s"],
    [
      "adapters/python/environment.test.ts",
      "T11: installers get the variables of a private index, over those of the job",
    ],
    ["contract/workflows.test.ts", "T32: keep those secrets from the action's own steps that do not measure"],
  ],
  "an acceptance counts too long": [
    ["forge/acceptance.test.ts", "T43: only the commit that is reported"],
    ["adapters/forge/acceptances.test.ts", "T43: a crowd of strangers does not push out a member"],
    [
      "adapters/forge/acceptances.test.ts",
      "T43: a comment that somebody edited does not count in its author's name",
    ],
    ["adapters/forge/acceptances.test.ts", "T43: does not take anybody else's comment for a report"],
  ],
  "without a bound": [
    ["end-to-end/floods.long.test.ts", "what $what prints or sends without end is cut"],
    [
      "adapters/process/output-log.test.ts",
      "F43: one that was quiet and then prints as fast as it can is noticed in time",
    ],
    [
      "adapters/process/output-log.test.ts",
      "F43: a program that prints without end fills no disk, and neither does what it leaves behind",
    ],
    ["adapters/k6/locust-file.test.ts", "what it prints without end is cut"],
    ["adapters/k6/locust-file.test.ts", "memory without end is stopped"],
    [
      "adapters/k6/streams.timed.test.ts",
      "replies without end cost no more memory than others, and end the load by their name",
    ],
    ["adapters/services/companion.test.ts", "its log is cut down to its end when it grows too large"],
    [
      "adapters/process/run-lifetime.test.ts",
      "F18: a run whose files take too much of the disk ends, and says what they take",
    ],
  ],
  "waited for without end": [
    ["end-to-end/foreign-files.long.test.ts", "T36: $argv.0: $kind as $path is named within five seconds"],
    ["end-to-end/waits.test.ts", "a log in whose place the app has put a pipe has no text, at once"],
    [
      "contract/import-rules.test.ts",
      "the linter finds every import and global that the table of rooms forbids",
    ],
    ["text/wildcards.test.ts", "many wildcards on a long text take no time"],
    [
      "endpoints/pattern-text.test.ts",
      "any pattern is tried to its end, also one that goes through everything",
    ],
    ["endpoints/pattern-text.test.ts", "%s accepts %s: %s"],
    [
      "adapters/services/stubs.test.ts",
      "a stub answers its routes after their delay, and tells what else it was asked for",
    ],
    ["adapters/process/plain-file.test.ts", "that is a folder, a pipe or a device is not waited for"],
  ],
  "words of an earlier start": [
    ["adapters/services/companion.test.ts", "the words of an earlier start in the same log do not count"],
    [
      "adapters/process/output-log.test.ts",
      "an earlier start's log, which is too large, is not cut under a later one, nor are its words that one's",
    ],
  ],
  "left behind": [
    ["adapters/services/service.test.ts", "what a killed run left is removed by %s, and nothing else"],
    [
      "adapters/process/child-process.test.ts",
      "what has left its group and its parent is killed in the end, by its mark",
    ],
    ["adapters/services/container-engine.test.ts", "the engine of containers is handed %s: %s"],
    ["contract/checked-programs.test.ts", "T41: a process %s that what measured has left: %o, killed: %s"],
  ],
  races: [
    [
      "adapters/python/environment.test.ts",
      "uv is installed by the machine's own Python where the app's has no pip, also by two runs at once",
    ],
    ["adapters/postgres/seed-snapshot.test.ts", "two runs at once keep one entry, and use it at once"],
    [
      "adapters/postgres/database-server.test.ts",
      "come from npm where the machine has none, also when two install them at once",
    ],
    [
      "adapters/results/results-directory.test.ts",
      "T15: is not shared by two runs, but one that was killed does not hold it",
    ],
  ],
  "exit statuses": [
    ["adapters/services/service.test.ts", "a program of the app's own folder is found there"],
    [
      "end-to-end/no-home.test.ts",
      "without a home, and for a user without a name, %s ends with %i, never as slower",
    ],
    ["adapters/process/user-home.test.ts", "a user without a name and a home has one among temporary files"],
    ["adapters/sqlite/database-files.test.ts", "infinity, which JSON has not, is a value like any other"],
    ["errors/machine-fault.test.ts", "F18: %s is the machine's fault, in its words"],
    ["errors/explanation.test.ts", "explains %s"],
    [
      "end-to-end/runner-commands.test.ts",
      "T8: a workflow's runner obeys nothing of what a failing app prints",
    ],
  ],
  "a credential is printed": [
    ["config/config-parser.test.ts", "never repeats a secret"],
    ["fuzz/configuration-file.test.ts", "T32: what a file says of secrets is in no message about it"],
    ["text/redact.test.ts", "hides $name"],
    ["text/redact.test.ts", "T32: logins in addresses: %s"],
  ],
  "supply chain": [
    [
      "contract/install-k6.test.ts",
      "T24: what is not k6's release is refused at once, and nothing of it is kept",
    ],
    ["contract/release-archive.test.ts", "is not unpacked with another hash"],
    ["contract/release-archive.test.ts", "every platform of every program has a hash of its own"],
    ["adapters/k6/extensions.test.ts", "T42: a module of another host is not loaded, its address %s"],
    ["contract/release-archive.test.ts", "%s is refused with both hashes, and nothing of it is kept"],
  ],
};
