/** Keys that people have to decide about: they are shown without effect. */
export interface Proposal {
  /** Sentences. */
  readonly reason: string;
  /** Lines of the configuration file. */
  readonly lines: readonly string[];
}

/** The lines of a file that show it. */
export function proposalLines({ reason, lines }: Proposal): readonly string[] {
  return ["", `# ${reason}`, ...lines.map((line) => `# ${line}`)];
}
