/** True when a GitHub runner finds a command in a line (actions/runner, ActionCommand.cs: TryParseV2 and TryParse). */
export function isWorkflowCommand(line: string): boolean {
  const trimmed = line.replace(/^[\s\u0085]+/, "");
  return (trimmed.startsWith("::") && trimmed.indexOf("::", 2) > 0) || /##\[[^\]]*\]/.test(line);
}
