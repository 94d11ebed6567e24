/** Tables and task lists of GitHub's Markdown, made of paragraphs and list items that are written as such. */

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  align?: (string | null)[];
  checked?: boolean | null;
}

const DELIMITER = /^:?-+:?$/;
const TASK = /^\[([ xX])\]\s+/;

/** A plugin of the Markdown parser. */
export const tablesAndTasks = () => (tree: Node) => visit(tree);

function visit(node: Node): void {
  for (const child of node.children ?? []) {
    if (child.type === 'paragraph') toTable(child);
    else if (child.type === 'listItem') toTask(child);
    visit(child);
  }
}

/** Makes a paragraph a table if its first line has cells and its second one delimiters. */
function toTable(paragraph: Node): void {
  const lines = linesOf(paragraph.children ?? []);
  if (lines.length < 2) return;
  const [head = [], delimiters = [], ...body] = lines.map(cellsOf);
  const marks = delimiters.map((cell) =>
    cell
      .map(({ value }) => value ?? '')
      .join('')
      .trim(),
  );
  if (head.length !== marks.length || !marks.every((mark) => DELIMITER.test(mark))) return;
  if (head.length === 1 && !hasPipe(lines[0] ?? [])) return;
  paragraph.type = 'table';
  paragraph.align = marks.map((mark) =>
    mark.endsWith(':') ? (mark.startsWith(':') ? 'center' : 'right') : mark.startsWith(':') ? 'left' : null,
  );
  paragraph.children = [head, ...body].map((cells) => ({
    type: 'tableRow',
    children: head.map((_, at) => ({ type: 'tableCell', children: cells[at] ?? [] })),
  }));
}

const hasPipe = (line: readonly Node[]): boolean =>
  line.some(({ type, value }) => type === 'text' && value?.includes('|') === true);

/** Splits the inline content of a paragraph where its text has line ends. */
function linesOf(nodes: readonly Node[]): Node[][] {
  const lines: Node[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'break') lines.push([]);
    else if (node.type === 'text') {
      for (const [at, value] of (node.value ?? '').split('\n').entries()) {
        if (at > 0) lines.push([]);
        if (value !== '') lines.at(-1)?.push({ type: 'text', value });
      }
    } else lines.at(-1)?.push(node);
  }
  return lines;
}

/** Splits a line at the pipes in its text; those at its ends only frame it. */
function cellsOf(line: readonly Node[]): Node[][] {
  const cells: Node[][] = [[]];
  for (const node of line) {
    if (node.type !== 'text') cells.at(-1)?.push(node);
    else
      for (const [at, value] of (node.value ?? '').split('|').entries()) {
        if (at > 0) cells.push([]);
        if (value !== '') cells.at(-1)?.push({ type: 'text', value });
      }
  }
  if (isBlank(cells[0])) cells.shift();
  if (cells.length > 1 && isBlank(cells.at(-1))) cells.pop();
  return cells.map(trimmed);
}

const isBlank = (cell: readonly Node[] | undefined): boolean =>
  (cell ?? []).every(({ type, value }) => type === 'text' && value?.trim() === '');

const trimmed = (cell: readonly Node[]): Node[] =>
  cell.map((node, at) => {
    if (node.type !== 'text') return node;
    const start = at === 0 ? (node.value ?? '').trimStart() : (node.value ?? '');
    return { ...node, value: at === cell.length - 1 ? start.trimEnd() : start };
  });

/** Makes a list item that begins with a box a task. */
function toTask(item: Node): void {
  const text = item.children?.[0]?.children?.[0];
  const [box, sign] = TASK.exec(text?.value ?? '') ?? [];
  if (text === undefined || box === undefined) return;
  text.value = (text.value ?? '').slice(box.length);
  item.checked = sign !== ' ';
}
