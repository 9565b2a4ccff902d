/** The demo sets these itself, and tells at the end where the report is. */
const own = ["--install", "--results-directory"];

/** What the words after `npm run demo --` ask for; a `problem` is one sentence. */
export function demoChoice(words) {
  const isOfWorkers = words[0] === "workers";
  const options = isOfWorkers ? words.slice(1) : words;
  const unknown = options[0]?.startsWith("--") === false ? options[0] : undefined;
  if (unknown !== undefined)
    return { problem: `unknown word "${unknown}": use \`npm run demo\` or \`npm run demo -- workers\`.` };
  const fixed = own.find((name) => options.some((word) => word === name || word.startsWith(`${name}=`)));
  if (fixed !== undefined) return { problem: `the demo sets ${fixed} itself.` };
  return { what: isOfWorkers ? "workers" : "pull request", options };
}
