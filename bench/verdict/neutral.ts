// Edits of `app.py` that change nothing of what it does: only where its code lies, and under which names.

import type { NeutralEdit } from "./recording.ts";

/** Files of the edited app, by name. */
export function neutralEdit(app: string, edit: NeutralEdit): Readonly<Record<string, string>> {
  const [burn = ""] = /^def burn[\s\S]*?\n\n\n/m.exec(app) ?? [];
  if (burn === "") throw new Error("app.py has no function burn any more");
  switch (edit) {
    case "comments":
      return {
        "app.py": app.replaceAll(
          /^(def|async def|class) /gm,
          `${"# A comment of a few words.\n".repeat(9)}$&`,
        ),
      };
    case "names":
      return {
        "app.py": app
          .replaceAll("burn(", "spend_processor_time(")
          .replaceAll("Account", "AccountOfInjectedTime"),
      };
    case "order":
      return { "app.py": `${app.replace(burn, "").trimEnd()}\n\n\n${burn.trimEnd()}\n` };
    case "module":
      return {
        "app.py": app.replace(burn, "").replace("import change\n", "import change\nfrom work import burn\n"),
        "work.py": `"""What was in app.py."""\n\n\n${burn.trimEnd()}\n`,
      };
  }
}
