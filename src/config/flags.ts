import { parseArgs } from 'node:util';
import { StartupError } from '../errors.ts';
import { mostSimilar } from '../most-similar.ts';

/** Values by flag (`--port`); empty for a flag without a value. */
export type Flags = ReadonlyMap<string, string>;

interface FlagKinds {
  /** Flags that need a value. */
  values: readonly string[];
  /** Flags that take no value. */
  switches?: readonly string[];
}

/** Parses `--flag value`, `--flag=value` and words. The last of repeated flags takes effect. Throws StartupError. */
export function readFlags(
  args: readonly string[],
  { values, switches = [] }: FlagKinds,
): { flags: Flags; words: string[] } {
  // Strict mode is off, because its errors suggest no flag.
  const options = Object.fromEntries(values.map((flag) => [flag.slice(2), { type: 'string' as const }]));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const flags = new Map<string, string>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    // The parser reads `-port` as four options; the argument contains the original text.
    const flag = args[token.index]?.split('=', 1)[0] ?? token.rawName;
    if (switches.includes(flag)) {
      if (token.inlineValue) throw new StartupError(`${flag} takes no value.`);
    } else if (!values.includes(flag)) {
      throw new StartupError(
        `Unknown flag ${flag.slice(0, 80)}${suggestion(flag, [...values, ...switches])}`,
      );
    } else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
      throw new StartupError(`${flag} needs a value.`);
    }
    flags.set(flag, token.value ?? '');
  }
  return { flags, words };
}

/** Ends a sentence about an unknown word with the most similar known one, if any. */
export function suggestion(word: string, known: readonly string[]): string {
  const similar = mostSimilar(word, known);
  return similar ? `; did you mean ${similar}?` : '.';
}
