// Share of wrong verdicts, size of the smallest change that is found, and time until then, compared with other ways of
// comparing.
//
// Without options, it reads the recorded runs and simulates reports from them, in seconds. `--record LIST` makes live
// runs and adds them, e.g. `--record cpu:0:20,cpu:-0.1:10,cpu:0:5:hog`: an endpoint of `verdict/app.py`, `workers` or
// `mixed`; the change of throughput, or `blind` for one that is drawn for each run and shown after its verdict; how many.
// `hog` burns the app's CPU at random meanwhile, `busy` notes that you keep both CPUs busy with other work; `comments`,
// `names`, `order` and `module` edit the head's source without changing what it does. `--smallest 1%` asks for less than
// 3%, `--minutes 10` gives less than usual. `--write` puts the first tables into docs/internals/evidence.md.

import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

import { print, printFigures } from "./parts/timing.ts";
import { runLive, type Trial } from "./verdict/live.ts";
import { kinds, neutralEdits, readRecording, writeRecording } from "./verdict/recording.ts";
import { figuresOf, furtherTables, mainTables } from "./verdict/summary.ts";

const option = (name: string) => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : (process.argv[index + 1] ?? "");
};

/** What a blind run draws from: as often nothing as a change of each size, in either direction. */
const blindEffects = [-0.1, 0.1, -0.03, 0.03, -0.01, 0.01, 0, 0];

const wanted = option("record");
if (wanted !== undefined) record(wanted);
const { runs } = readRecording();
const tables = mainTables(runs);
print(tables);
print(furtherTables(runs));
if (process.argv.includes("--write")) writeTable(tables);
printFigures(figuresOf(runs));

function record(list: string): void {
  const [minChange, maxMinutes] = [option("smallest"), option("minutes")];
  const trials = list.split(",").flatMap((text) => {
    const [name, effect, times = "1", ...company] = text.split(":");
    const neutral = neutralEdits.find((each) => company.includes(each));
    const kind = kinds.find((each) => each === name);
    const isBlind = effect === "blind";
    if (kind === undefined || !(isBlind || Math.abs(Number(effect)) < 1)) {
      throw new Error(`not a trial: ${text}`);
    }
    const trial = (): Trial => ({
      kind,
      aimedEffect: isBlind ? drawn(blindEffects) : Number(effect),
      ...(isBlind && { blind: true as const }),
      hog: company.includes("hog"),
      ...(company.includes("busy") && { busy: true as const }),
      ...(neutral !== undefined && { neutral }),
      ...(minChange !== undefined && { minChange }),
      ...(maxMinutes !== undefined && { maxMinutes }),
    });
    return Array.from({ length: Number(times) }, trial);
  });
  for (const [index, trial] of shuffled(trials).entries()) {
    const { machine, runs: before } = readRecording();
    const originSeconds = before.length === 0 ? Date.now() / 1_000 : (before[0]?.originSeconds ?? 0);
    const run = runLive(trial, originSeconds);
    writeRecording({
      machine: machine || `${cpus()[0]?.model}, ${cpus().length} CPUs`,
      runs: [...before, run],
    });
    const { kind, aimedEffect, hog, effect, low, high } = run;
    print(
      `${index + 1}/${trials.length} ${kind} ${aimedEffect}${hog ? " hog" : ""}: ${run.verdict} ${effect} [${low}, ${high}] after ${run.replicates.length} replicates, ${run.loadSeconds} s of load, ${run.wallSeconds} s`,
    );
  }
}

function drawn(of: readonly number[]): number {
  return of[randomInt(of.length)] ?? 0;
}

/** A random order: a bad spell of the machine must not hit one kind of trial alone. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

function writeTable(text: string): void {
  const path = "docs/internals/evidence.md";
  const [start, end] = ["<!-- verdict table -->", "<!-- end of verdict table -->"];
  const document = readFileSync(path, "utf8");
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no place for the table`);
  const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
  const body = `${start}\n\n${text}\nSimulated at commit ${commit}.\n\n`;
  writeFileSync(path, document.slice(0, from) + body + document.slice(to));
}
