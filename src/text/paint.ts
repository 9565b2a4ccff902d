/** Parameters of ECMA-48's "select graphic rendition". */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Style = keyof typeof styles;

/** A text in a colour; as it is without one. */
export function paint(style: Style | undefined, text: string): string {
  return style === undefined ? text : `\u001b[${styles[style]}m${text}\u001b[0m`;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** True when colours are wanted: the variables of https://no-color.org and https://force-color.org win. */
export function wantsColour(variables: Variables, isTTY: boolean): boolean {
  const { FORCE_COLOR: forced, GITHUB_ACTIONS: actions, NO_COLOR: none, TERM: terminal } = variables;
  if (none) return false;
  if (forced) return !["0", "false"].includes(forced);
  return actions === "true" || (isTTY && terminal !== "dumb");
}
