type Child = Node | string | undefined;

/** Makes an element. Texts become text nodes, so none of them can become markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A sentence in which parts between backticks are code. */
export function sentence(text: string): readonly (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}

export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const isNumber = (index: number) => index > 0;
  const head = titles.map((title, index) =>
    element("th", { scope: "col", ...(isNumber(index) && { class: "number" }) }, title),
  );
  const body = rows.map(([name = "", ...values]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...values.map((value) => element("td", { class: "number" }, value)),
    ),
  );
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": titles.join(", ") },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)),
  );
}

export function figureOf(parts: {
  readonly title: string;
  /** Help on reading the chart. */
  readonly note: string;
  readonly chart: Node;
  readonly table: HTMLElement | undefined;
}): HTMLElement {
  const { title, note, chart, table } = parts;
  return element(
    "figure",
    {},
    element("figcaption", {}, element("strong", {}, title), element("span", { class: "small" }, ` ${note}`)),
    element("div", { class: "drawing" }, chart),
    table && element("details", {}, element("summary", {}, "Figures as a table"), table),
  );
}
