import { openingFault } from './doc-comments.ts';
import type { Excuses } from './excuses.ts';
import { privateWords, privateWordsOfName } from './glossary.ts';
import { nearDuplicates } from './messages.ts';
import { wordsOfPages } from './page-glossary.ts';
import { pythonTextsOf, type SourceText, textsOf } from './source-texts.ts';

export interface Finding {
  category: 'doc comment' | 'glossary' | 'message';
  text: string;
}

/** Returns everything that breaks the rules of words in sources and pages: path → text. */
export function findingsOf(files: ReadonlyMap<string, string>, excuses: Excuses): Finding[] {
  const found: Finding[] = [];
  const messages = new Map<string, string>();
  for (const [path, text] of files) {
    const texts = allTextsOf(path, text);
    for (const item of texts) {
      const at = `${path}:${item.line}`;
      const fault = item.kind === 'doc comment' && hasRuledComments(path) ? openingFault(item.text) : null;
      if (fault !== null) found.push({ category: 'doc comment', text: `${at} ${fault}` });
      if (item.kind === 'message' && !path.startsWith('test/')) messages.set(item.text, at);
      for (const { word, use } of glossaryWords(path, item)) {
        if (excuses.allows(path, word)) continue;
        found.push({ category: 'glossary', text: `${at} ${item.kind} says "${word}"; say: ${use}` });
      }
    }
  }
  for (const texts of nearDuplicates([...messages.keys()])) {
    if (texts.some((text) => excuses.allows('message', text))) continue;
    const places = texts.map((text) => `\n    ${messages.get(text)} "${text}"`).join('');
    found.push({ category: 'message', text: `the same fault in ${texts.length} wordings:${places}` });
  }
  return found;
}

function allTextsOf(path: string, text: string): SourceText[] {
  if (path.endsWith('.md')) return linesOf(text);
  return path.endsWith('.py') ? pythonTextsOf(text) : textsOf(path, text);
}

function hasRuledComments(path: string): boolean {
  return !path.startsWith('test/') || path.startsWith('test/support/');
}

function glossaryWords(path: string, { kind, text }: SourceText): { word: string; use: string }[] {
  if (kind === 'name') return privateWordsOfName(text, path);
  if (kind === 'message') return [];
  // Texts without a space are keys, values and file names; the API decides those. Texts of tests are titles and data.
  const ofPages = kind === 'text' ? wordsOfPages(path, text) : [];
  if (kind === 'text' && (!text.includes(' ') || path.startsWith('test/'))) return ofPages;
  return [...privateWords(text, path), ...ofPages];
}

/** Returns the lines of a page, without code. */
function linesOf(page: string): SourceText[] {
  let code = false;
  return page.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) code = !code;
    return code
      ? []
      : [{ kind: 'text' as const, text: ` ${line.replaceAll(/`[^`]*`/g, '`…`')}`, line: index + 1 }];
  });
}
