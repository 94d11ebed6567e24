/** Reads the instructions of a Dockerfile in the forms that this repository uses. */

export interface Section {
  /** Image that the section begins with. */
  from: string;
  name: string | null;
  steps: readonly Step[];
}

interface Step {
  /** Word in capitals, such as `COPY`. */
  instruction: string;
  /** Text after it, with its lines joined. */
  text: string;
}

export function readSections(dockerfile: string): Section[] {
  const sections: { from: string; name: string | null; steps: Step[] }[] = [];
  const lines = dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  for (const line of lines) {
    const [, instruction = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [from = '', , name = null] = text.split(/\s+/);
      sections.push({ from, name, steps: [] });
    } else sections.at(-1)?.steps.push({ instruction, text });
  }
  return sections;
}

/** Returns the flags (`--from=build`) and the words of a step. */
export function wordsOf({ text }: Step): { flags: Map<string, string>; words: string[] } {
  const all = text.split(/\s+/);
  const flags = all.filter((word) => word.startsWith('--'));
  return {
    flags: new Map(flags.map((flag) => flag.slice(2).split('=', 2) as [string, string])),
    words: all.filter((word) => !word.startsWith('--')),
  };
}
