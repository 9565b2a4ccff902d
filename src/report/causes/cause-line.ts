import type { FoundCause } from "../../model/findings/diagnosis.ts";
import { type Line, line, link, sentence } from "../document/inline.ts";
import { type Links, sourceUrl } from "../links.ts";

/** Where a report's lines of code can be read. */
export interface Sources {
  readonly links: Links;
  /** The head that was measured, as the documents name it. */
  readonly commit: string | undefined;
}

/** A sentence about a finding, in which its line of code is a link to the measured commit. */
export function lineOfCause(text: string, { path, place }: FoundCause, { links, commit }: Sources): Line {
  const url =
    path === undefined || place === undefined ? undefined : sourceUrl(links, commit, path, place.line);
  const shown = place === undefined ? "" : `${place.file}:${place.line}`.replaceAll("`", "'");
  const start = text.indexOf(`\`${shown}\``);
  if (url === undefined || start < 0) return sentence(text);
  const [before, after] = [text.slice(0, start), text.slice(start + shown.length + 2)];
  return line(spaced(before), link(shown, url), spaced(after));
}

/** A part of a sentence with the spaces at its ends, which foreign text loses. */
function spaced(part: string): Line {
  const [start, end] = [part.startsWith(" ") ? " " : "", part.endsWith(" ") ? " " : ""];
  return part.trim() === "" ? line(start) : line(start, sentence(part.trim()), end);
}
