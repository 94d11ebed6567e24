/** Open `llm` starts of one call by match key; finds the oldest that is still open. */
export class OpenStarts<Row extends { match: string | null; start: bigint }> {
  private readonly heaps = new Map<string, Entry<Row>[]>();
  private order = 0;

  /** Adds a row. A row that is changed later no longer counts, unless it is added again. */
  add(row: Row): void {
    if (row.match === null) return;
    const heap = this.heaps.get(row.match) ?? [];
    this.heaps.set(row.match, heap);
    push(heap, { row, start: row.start, order: this.order++ });
  }

  /** Returns the row with the earliest start, the first added if there are several. It stays until it is changed. */
  oldest(match: string): Row | null {
    const heap = this.heaps.get(match) ?? [];
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      if (first.row.match === match && first.row.start === first.start) return first.row;
      removeFirst(heap);
    }
    return null;
  }
}

interface Entry<Row> {
  row: Row;
  start: bigint;
  order: number;
}

function isBefore<Row>(a: Entry<Row>, b: Entry<Row>): boolean {
  return a.start === b.start ? a.order < b.order : a.start < b.start;
}

function push<Row>(heap: Entry<Row>[], entry: Entry<Row>): void {
  let place = heap.length;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] as Entry<Row>;
    if (!isBefore(entry, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = entry;
}

function removeFirst<Row>(heap: Entry<Row>[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    const right = heap[child + 1];
    if (right !== undefined && isBefore(right, heap[child] as Entry<Row>)) child += 1;
    const below = heap[child] as Entry<Row>;
    if (!isBefore(below, last)) break;
    heap[place] = below;
    place = child;
  }
  heap[place] = last;
}
