interface Excuse {
  path: string;
  word: string;
  used: boolean;
}

/** The list of words that are right where they stand. Each line: path or `*` | word | reason. */
export class Excuses {
  private readonly list: Excuse[];

  constructor(text: string) {
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    this.list = lines.map((line) => {
      const [path, word, reason] = line.split('|').map((part) => part.trim());
      if (path === undefined || word === undefined || reason === undefined || reason === '') {
        throw new Error(`An excuse is "path | word | reason"; got "${line}".`);
      }
      return { path, word: word.toLowerCase(), used: false };
    });
  }

  allows(path: string, word: string): boolean {
    const excuses = this.list.filter((excuse) => covers(excuse, path, word.toLowerCase()));
    for (const excuse of excuses) excuse.used = true;
    return excuses.length > 0;
  }

  /** Returns the excuses that excused nothing since they were read. */
  unused(): string[] {
    return this.list.filter(({ used }) => !used).map(({ path, word }) => `${path} | ${word}`);
  }
}

/** A path excuses its file, or with a slash at its end all files below it. */
function covers(excuse: Excuse, path: string, word: string): boolean {
  if (excuse.word !== word) return false;
  return (
    excuse.path === '*' || excuse.path === path || (excuse.path.endsWith('/') && path.startsWith(excuse.path))
  );
}
