import { distance } from 'fastest-levenshtein';
import { StartupError } from '../errors.ts';

/** Flags as they came, by name (`--port`); a flag without value is there as an empty text. */
export type Flags = ReadonlyMap<string, string>;

/** What a command takes; a flag without value is a switch. */
interface FlagKinds {
  values: readonly string[];
  switches?: readonly string[];
}

/** Takes a command line apart: `--flag value`, `--flag=value`, and the words that are no flag. The last one wins. */
export function readFlags(
  args: readonly string[],
  { values, switches = [] }: FlagKinds,
): { flags: Flags; words: string[] } {
  const flags = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const flag = equals < 0 ? arg : arg.slice(0, equals);
    if (switches.includes(flag)) {
      if (equals >= 0) throw new StartupError(`${flag} takes no value.`);
      flags.set(flag, '');
    } else if (!values.includes(flag)) {
      throw new StartupError(
        `Unknown flag ${flag.slice(0, 80)}${suggestion(flag, [...values, ...switches])}`,
      );
    } else if (equals >= 0) flags.set(flag, arg.slice(equals + 1));
    else {
      const value = args[++i];
      if (value === undefined || value.startsWith('--')) throw new StartupError(`${flag} needs a value.`);
      flags.set(flag, value);
    }
  }
  return { flags, words };
}

/** How a sentence about an unknown word ends: with the nearest known one, if there is one. */
export function suggestion(word: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, edits: distance(word, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, name.length / 4))
    .sort((a, b) => a.edits - b.edits);
  return nearest ? `; did you mean ${nearest.name}?` : '.';
}
