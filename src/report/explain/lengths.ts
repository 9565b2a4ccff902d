/** Most characters of a foreign text, by its kind. */
export const longest = { name: 120, code: 160, text: 300, log: 600 } as const;
