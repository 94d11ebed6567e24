/** A JSON object as JSON.parse returns it. */
export type Fields = Readonly<Record<string, unknown>>;
