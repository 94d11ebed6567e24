/** A private word, and the term of the field that takes its place. */
interface Term {
  /** Matches single words, in lower case. */
  word: RegExp;
  use: string;
  /** Phrases in which the word is right. */
  except?: RegExp;
  /** False where the word is wrong as a name alone, or in prose alone. */
  inNames?: false;
  inProse?: false;
  /** Files in which alone the word is wrong. Default: all. */
  only?: RegExp;
}

const TERMS: readonly Term[] = [
  {
    word: /chunks?/,
    use: 'block',
    except: /(?:FROM|JOIN|INTO) chunk\b|\bchunk\.seq/,
    only: /^(?:src|test)\/traces\/(?!conventions\/)/,
  },
  { word: /doors?/, use: 'receiver (OTLP), endpoint (HTTP)' },
  {
    word: /rooms?/,
    use: 'module; space',
    except: /(?:leaves?|for|no|`)room`?|(?:leaves|no|of) room\b|`room`/,
    inNames: false,
  },
  { word: /skeletons?/, use: 'span index' },
  { word: /arenas?/, use: 'byte buffer' },
  { word: /upkeep/, use: 'maintenance' },
  { word: /figures?/, use: 'metric' },
  { word: /unruled/, use: 'not applicable' },
  {
    word: /refus(?:e|es|ed|al|als|ing)/,
    use: 'reject, rejection',
    except: /ECONNREFUSED|connection refused/i,
  },
  { word: /cut|cuts|cutting/, use: 'truncate; interrupt', except: /cut-off|shortcut/, inNames: false },
  { word: /pok(?:e|es|ed|ing)/, use: 'wake' },
  { word: /lanes?/, use: 'queue' },
  { word: /freest/, use: 'least busy' },
  { word: /movers?/, use: 'actor' },
  { word: /makers?/, use: 'service' },
  { word: /materials?/, use: 'import row, prompt input' },
  { word: /unjudged/, use: 'not judged' },
  { word: /worlds?/, use: 'fixture', inProse: false },
  { word: /stor(?:y|ies)/, use: 'scenario' },
  { word: /stages?/, use: 'scenario; step' },
  { word: /acts?/, use: 'step', inProse: false },
  { word: /companions?/, use: 'harness' },
  { word: /twins?/, use: 'duplicate' },
  { word: /anew/, use: 'again' },
  { word: /nobody/, inNames: false, use: 'no client, no user; unknown' },
  {
    word: /whole/,
    inNames: false,
    use: 'complete, entire',
    except: /whole (?:numbers?|seconds?|words|percent|Unix milliseconds|minutes)/,
  },
  { word: /told/, inNames: false, use: 'reported' },
  {
    word: /met/,
    use: 'seen',
    except: /(?:condition|threshold|requirement|criteri)\w* (?:is|are|was|were) met/,
  },
  {
    word: /upheld|heed(?:s|ed)?|obey(?:s|ed)?|thereof|whence|wherein|henceforth/,
    use: 'a plain word, such as follow',
  },
  { word: /(?:some|any)body/, inNames: false, use: 'someone, anyone' },
  { word: /mend(?:s|ed|ing)?/, inNames: false, use: 'repair, correct' },
];

/** Phrases of several words; they appear in prose only. */
const PHRASES: readonly (readonly [phrase: RegExp, use: string])[] = [
  [/\bby rule\b/, 'deterministic'],
  [/\bquiet time\b/, 'idle timeout'],
  [/\bliving tests?\b/, 'test in flight'],
  [/\bg(?:ive|ives|ave|iven|iving) up\b/, 'stop retrying, cancel, time out'],
  [/\b(?:run|runs|ran) out\b/, 'expire'],
  [/\bask(?:s|ed|ing)? for\b/, 'request, look up'],
  [/\b(?:take|takes|took|taken) away\b/, 'delete, remove'],
  [/\bnobody knows\b/, 'unknown'],
  [/\bno longer than\b/, 'at most'],
  [/\bworked? out\b/, 'compute'],
  [/\btells? of\b/, 'report'],
  [/\bfor ever\b/, 'forever'],
  [/\bunder way\b/, 'in progress'],
  [/\b(?:go|goes|went) on\b/, 'continue'],
  [/\b(?:come|comes|came|fall|falls) due\b/, 'is due'],
  [/\b(?:come|comes|came) again\b/, 'arrive again'],
  [/\bhand(?:s|ed)? out\b/, 'serve, return'],
  [/\blets? go\b/, 'release, disconnect, drop'],
  [/\b(?:is|are|was) asked again\b/, 'is called again'],
  [/\bbeside a running\b/, 'while … runs'],
  [/\btried again\b|\btry again\b|\bsend again\b/, 'retry'],
];

/** Returns the private words of a comment, a message or a page, each with the term to use. */
export function privateWords(prose: string, path = ''): { word: string; use: string }[] {
  const found = new Map<string, string>();
  for (const { word, use, except, inProse, only } of TERMS) {
    if (inProse === false || only?.test(path) === false) continue;
    const text = except ? prose.replaceAll(new RegExp(except.source, 'gi'), ' ') : prose;
    for (const [match] of text.matchAll(new RegExp(`\\b${group(word)}\\b`, 'gi'))) {
      found.set(match.toLowerCase(), use);
    }
  }
  for (const [phrase, use] of PHRASES) {
    const match = new RegExp(phrase.source, 'i').exec(prose)?.[0];
    if (match !== undefined) found.set(match.toLowerCase(), use);
  }
  return [...found].map(([word, use]) => ({ word, use }));
}

/** Returns the private words among the words of an identifier. */
export function privateWordsOfName(name: string, path = ''): { word: string; use: string }[] {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|[_$]/).map((word) => word.toLowerCase());
  const terms = TERMS.filter(({ inNames, only }) => inNames !== false && only?.test(path) !== false);
  return terms.flatMap(({ word, use }) =>
    words.filter((part) => new RegExp(`^${group(word)}$`).test(part)).map((part) => ({ word: part, use })),
  );
}

function group(word: RegExp): string {
  return `(?:${word.source})`;
}
