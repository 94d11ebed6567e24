import { parseSync } from 'oxc-parser';

/** A comment, a name or a text of a source file. */
export interface SourceText {
  kind: 'doc comment' | 'comment' | 'name' | 'text' | 'message' | 'title';
  text: string;
  line: number;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Calls whose first text a person reads: errors, log lines and what a check reports. */
const MESSAGE_CALL = /Error$|^(?:log|warn|error|info|fail|invalid|reject|issue)$/;

/** Calls with a title of tests. */
const TITLED_CALL = /^(?:it|test|describe)$/;

/** Lists the comments, the declared names and the texts of a TypeScript or JavaScript file. */
export function textsOf(path: string, source: string): SourceText[] {
  const { program, comments } = parseSync(path, source);
  const lineOf = lineIndex(source);
  const found: SourceText[] = joined(comments, lineOf);
  visit(program, (node) => {
    const line = lineOf(node.start);
    const name = declaredName(node);
    if (name !== null) found.push({ kind: 'name', text: name, line });
    const text = textOf(node);
    if (text !== null) found.push({ kind: 'text', text, line });
    const message = messageOf(node);
    if (message !== null) found.push({ kind: 'message', text: message, line });
    const title = titleOf(node);
    if (title !== null) found.push({ kind: 'title', text: title, line });
  });
  return found;
}

/** Lists the comments, the texts and the declared names of a Python file. */
export function pythonTextsOf(source: string): SourceText[] {
  const lineOf = lineIndex(source);
  const found: SourceText[] = [];
  for (const { index, groups = {} } of source.matchAll(PYTHON_TOKEN)) {
    const { doc, text, comment, name } = groups;
    const line = lineOf(index);
    if (name !== undefined) found.push({ kind: 'name', text: name, line });
    else if (comment !== undefined) found.push({ kind: 'comment', text: comment.trim(), line });
    else found.push({ kind: 'text', text: (doc ?? text ?? '').replaceAll(/\s+/g, ' '), line });
  }
  return found;
}

const PYTHON_TOKEN =
  /"""(?<doc>[^]*?)"""|(?<quote>["'])(?<text>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>|#(?<comment>[^\n]*)|\b(?:def|class) (?<name>\w+)/g;

/** Returns the comments of a file; line comments on consecutive lines are one comment. */
function joined(
  comments: readonly { type: string; value: string; start: number }[],
  lineOf: (offset: number) => number,
): SourceText[] {
  const found: (SourceText & { last: number })[] = [];
  for (const { type, value, start } of comments) {
    const line = lineOf(start);
    const previous = found.at(-1);
    if (type === 'Line' && previous?.kind === 'comment' && previous.last === line - 1) {
      previous.text += ` ${value.trim()}`;
      previous.last = line;
      continue;
    }
    const doc = type === 'Block' && value.startsWith('*');
    const text = value
      .replaceAll(/^\s*\*+ ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    found.push({ kind: doc ? 'doc comment' : 'comment', text, line, last: line });
  }
  return found;
}

/** Returns the name that a node declares: a function, class, type, variable, parameter or field. */
function declaredName(node: Node): string | null {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'VariableDeclarator':
      return identifier(node['id']);
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return identifier(node['key']);
    default:
      return null;
  }
}

function identifier(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : null;
}

/** Returns the text of a literal or a template; `…` stands for each placeholder. */
function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'JSXText') return (node['value'] as string).replaceAll(/\s+/g, ' ');
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('…');
}

/** Returns the first text with a space among the arguments of an error or of a log call. */
function messageOf(node: Node): string | null {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return null;
  if (!MESSAGE_CALL.test(calleeName(node['callee']))) return null;
  const texts = (node['arguments'] as unknown[]).map(textOf);
  return texts.find((text) => text?.includes(' ') === true) ?? null;
}

/** Returns the title of a test or of a group of tests, which may be one of a table: `it.each(rows)(title, …)`. */
function titleOf(node: Node): string | null {
  if (node.type !== 'CallExpression' || !TITLED_CALL.test(rootName(node['callee']))) return null;
  return textOf((node['arguments'] as unknown[])[0]);
}

/** Returns the name at the begin of a chain of members and calls. */
function rootName(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return rootName(node['object']);
  if (node.type === 'CallExpression') return rootName(node['callee']);
  return identifier(node) ?? '';
}

function calleeName(callee: unknown): string {
  if (!isNode(callee)) return '';
  return identifier(callee.type === 'MemberExpression' ? callee['property'] : callee) ?? '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode);
  else if (isNode(value)) {
    onNode(value);
    for (const field of Object.values(value)) visit(field, onNode);
  }
}

/** Returns a function that finds the line, from 1, of an offset. */
function lineIndex(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
