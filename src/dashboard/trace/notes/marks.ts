/** Words of the page that notes quote. They are painted by the browser, so that the elements of the page stay as React made them. */
const painted = typeof Highlight === 'undefined' ? null : new Highlight();
if (painted !== null) CSS.highlights.set('note', painted);

/** Places on the page of the words that each note quotes. */
export class Marks {
  private readonly ranges = new Map<string, Set<Range>>();
  /** Note whose words are to be shown as soon as they are on the page. */
  private wanted: string | null = null;

  add(noteId: string, range: Range): void {
    painted?.add(range);
    this.ranges.set(noteId, (this.ranges.get(noteId) ?? new Set()).add(range));
    if (this.wanted === noteId && this.show(noteId)) this.wanted = null;
  }

  remove(noteId: string, range: Range): void {
    painted?.delete(range);
    this.ranges.get(noteId)?.delete(range);
  }

  /** Scrolls to the words of a note; returns false if they are not on the page. */
  show(noteId: string): boolean {
    const range = [...(this.ranges.get(noteId) ?? [])].find((one) => one.getClientRects().length > 0);
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    return range !== undefined;
  }

  /** Scrolls to the words of a note once they are on the page. */
  showLater(noteId: string): void {
    this.wanted = noteId;
  }
}
