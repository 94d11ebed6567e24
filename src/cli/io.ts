/** Environment of a command: its inputs and its outputs. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** True if `out` is a terminal. */
  isTerminal: boolean;
  /** Command line of this program, up to its arguments. */
  program: string;
}
