/** Reads the instructions of a Dockerfile in the forms that this repository uses. */

export interface Stage {
  /** Image that the stage begins with. */
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

export function readStages(dockerfile: string): Stage[] {
  const stages: { from: string; name: string | null; steps: Step[] }[] = [];
  const lines = dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  for (const line of lines) {
    const [, instruction = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [from = '', , name = null] = text.split(/\s+/);
      stages.push({ from, name, steps: [] });
    } else stages.at(-1)?.steps.push({ instruction, text });
  }
  return stages;
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
