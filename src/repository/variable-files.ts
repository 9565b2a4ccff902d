/** Names of examples that people copy to a file of variables: `.env.example`, `.env.local.example`, `example.env`. */
export const isVariablesExample =
  /^\.?(?:\w+\.)?env(?:[._-]\w+)?[._-](?:example|sample|template|dist|default)$|^\.?(?:example|sample)\.env$/;

/** Names of files of variables for servers that people use; `product.env` is none. */
export const isForProduction = /(?:^|[._-])(?:prod(?:uction)?|stag(?:e|ing)|live)(?:[._-]|$)/i;
