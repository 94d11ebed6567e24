/** An error of the database, with its SQLSTATE or the code of the connection's error. */
export class PostgresFault extends Error {
  readonly code: string;
  /** The statement; it contains no values. */
  readonly sql: string;

  constructor(message: string, code: string, sql: string) {
    super(message);
    this.code = code;
    this.sql = sql;
  }
}
