import type { Io } from './io.ts';

export type CliCommand = (args: readonly string[], io: Io) => void | number | Promise<void | number>;

/** Loads a command when it runs, so that no command waits for modules that only others need. */
export type LazyCommand = () => Promise<CliCommand>;

export interface CommandEntry {
  group: 'Server' | 'Tests and traces' | 'Data' | 'Keys and people' | 'Other';
  /** Words and flags that may follow the name. */
  usage: string;
  meaning: string;
  /** Arguments of complete command lines. */
  examples: readonly string[];
  /** Subject of the command: a server by its address and key, a data folder, or neither. */
  worksOn: 'server' | 'store' | 'nothing';
  load: LazyCommand;
}

/** Commands by their names, such as `keys create`. */
export type CliCommands = Readonly<Record<string, CommandEntry>>;

/** Returns the names of the commands that begin with a word: that command, or `keys create` and more for `keys`. */
export const commandsUnder = (commands: CliCommands, word: string): string[] =>
  Object.keys(commands).filter((name) => name === word || name.startsWith(`${word} `));

/** Returns the first words of all commands, each once. */
export const firstWords = (commands: CliCommands): string[] => [
  ...new Set(Object.keys(commands).map((name) => name.split(' ', 1)[0] as string)),
];
