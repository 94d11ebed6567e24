/** Rows with their lines, and parts of the file that no row has. */
export interface DocumentRows {
  rows: Iterable<[line: number, row: unknown]>;
  lost?: string[];
}

/** Fault of a file, which its sender can understand. */
export class DocumentFault extends Error {}
