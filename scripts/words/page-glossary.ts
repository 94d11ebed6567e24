/** A word that pages do not use, and the one that they use instead: docs/glossary.md has their meanings. */
interface PageTerm {
  never: RegExp;
  write: string;
  /** Phrases in which the word is right, such as names of attributes. */
  except?: RegExp;
}

export const PAGE_TERMS: readonly PageTerm[] = [
  { never: /definitions?/, write: 'evaluator' },
  { never: /evals?/, write: 'verdict' },
  { never: /advisory/, write: 'non-blocking' },
  { never: /gates?/, write: 'verification' },
  { never: /minKappa|kappa/, write: 'required agreement, agreement κ' },
  { never: /not judged/, write: 'no verdict' },
  { never: /skipped/, write: 'no verdict: nothing to judge by' },
  { never: /splits?/, write: 'subset', except: /split into|split by/ },
  { never: /annotat(?:e|es|ed|ing|ions?|ors?)/, write: 'review, reviewer' },
  { never: /drawn? at random/, write: 'random sample' },
  { never: /writing half|measuring half/, write: 'draft half, holdout' },
  { never: /corrected pass rate/, write: 'pass rate as reviewers would judge' },
  { never: /false (?:positive|negative)s?/, write: 'missed failure, false alarm' },
  { never: /superseded/, write: 'replaced by a newer verdict' },
  { never: /input examples?/, write: 'example' },
  { never: /monitoring/, write: 'live traffic' },
  { never: /flaky/, write: 'mixed results' },
  { never: /stability/, write: 'consistency' },
  { never: /no difference shown/, write: 'no difference detected' },
  { never: /sessions?/, write: 'conversation', except: /session[._](?:id|status)/ },
];

/** Files whose texts people read on a page. */
const PAGES = /^src\/dashboard\/.*\.tsx?$/;
/** A text without a space that is a title rather than a key: it begins with one capital. */
const TITLE = /^\s*\p{Lu}\p{Ll}+\s*$/u;

/** Returns the words of a text of a page that have a better one in their place. */
export function wordsOfPages(path: string, text: string): { word: string; use: string }[] {
  if (!PAGES.test(path) || !(text.trim().includes(' ') || TITLE.test(text))) return [];
  return PAGE_TERMS.flatMap(({ never, write, except }) => {
    const rest = except ? text.replaceAll(new RegExp(except.source, 'gi'), ' ') : text;
    const found = rest.match(new RegExp(`\\b(?:${never.source})\\b`, 'i'));
    return found ? [{ word: found[0].toLowerCase(), use: write }] : [];
  });
}
