/** A statement of the product in the words of PostgreSQL. */
export interface CapturedStatement {
  /** File and line that runs it. */
  place: string;
  sql: string;
}
