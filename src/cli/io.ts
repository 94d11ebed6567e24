/** The outside of a command: what it was given and where it writes. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether `out` is a terminal. */
  isTerminal: boolean;
  /** How this program was called, up to its arguments. */
  program: string;
}
