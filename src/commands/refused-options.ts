import { InputError } from "../errors/errors.ts";
import type { RequestPorts } from "../ports/request.ts";
import type { InputsOfVerb } from "./arguments.ts";
import { readRequest } from "./request.ts";

/** Throws one `InputError` when an option cannot be read, with all that is wrong in the values of the others. */
export async function refuseOptions(
  { verb, raw, problems }: InputsOfVerb,
  ports: RequestPorts,
): Promise<void> {
  if (problems.length === 0) return;
  const others = await readRequest(verb, raw, ports).then(
    () => [],
    (error: unknown) => {
      if (error instanceof InputError) return error.problems;
      throw error;
    },
  );
  throw new InputError([...problems, ...others]);
}
