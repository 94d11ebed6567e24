/** What a route does not tell of itself. */
export interface OperationNote {
  /** The operationId: clients are made with it, so it never changes. */
  id: string;
  /** A body to send. */
  body?: unknown;
  /** What is answered: JSON, or the text of a stream. */
  answer?: unknown;
}

/** By method and path: `GET /v0/tags/{id}`. */
export type OperationNotes = Readonly<Record<string, OperationNote>>;
