import { type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import type { Note } from '../../../api/generated/schema.ts';
import type { ShownMessage, ShownPart } from '../span/message.ts';
import type { Marks } from './marks.ts';
import { NotedSpanContext, type NotableText, partsOfSpan, quotableText } from './noted-span.ts';
import { nearestPlace, type Place, placesOfWords, samePlace } from './quoted-words.ts';
import { shownText } from './shown-text.ts';
import { useTraceNotes } from './trace-notes-context.ts';

interface NotableSpanProps {
  spanId: string;
  /** Other spans that notes on these texts may name; null stands for the complete trace. */
  also?: readonly (string | null)[];
  input: readonly ShownMessage[];
  output: readonly ShownMessage[];
  children: ReactNode;
}

const NONE: readonly never[] = [];

/** Names the span whose texts are shown in it, so that notes can quote them. */
export function NotableSpan({ spanId, also = NONE, input, output, children }: NotableSpanProps): ReactNode {
  const parts = useMemo(() => partsOfSpan(input, output), [input, output]);
  const span = useMemo(() => ({ spanId, also, parts }), [spanId, also, parts]);
  return <NotedSpanContext value={span}>{children}</NotedSpanContext>;
}

/** A part of a message; on the page of a trace, notes can quote its text. */
export function NotablePart({ part, children }: { part: ShownPart; children: ReactNode }): ReactNode {
  const span = useContext(NotedSpanContext);
  const place = span?.parts.get(part);
  return span && place ? (
    <Notable spanId={span.spanId} also={span.also} {...place}>
      {children}
    </Notable>
  ) : (
    children
  );
}

interface NotableValueProps {
  field: NotableText['field'];
  value: unknown;
  children: ReactNode;
}

/** The input or output of a span; on the page of a trace, notes can quote its text. */
export function NotableValue({ field, value, children }: NotableValueProps): ReactNode {
  const span = useContext(NotedSpanContext);
  const source = useMemo(() => quotableText(value), [value]);
  return span ? (
    <Notable spanId={span.spanId} also={span.also} field={field} source={source} base={null}>
      {children}
    </Notable>
  ) : (
    children
  );
}

function Notable({ children, spanId, also, field, source, base }: NotableText & { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const trace = useTraceNotes();
  const text = useMemo(() => ({ spanId, also, field, source, base }), [spanId, also, field, source, base]);
  const notes = trace?.notes ?? NONE;
  const own = useMemo(() => notes.filter((note) => isOn(note, text)), [notes, text]);
  const { texts, marks } = trace ?? {};
  useEffect(() => {
    const shown = element.current;
    if (shown === null || texts === undefined) return undefined;
    texts.set(shown, text);
    return () => void texts.delete(shown);
  }, [texts, text]);
  const open = useRef<(noteId: string) => void>(undefined);
  useEffect(() => {
    open.current = trace?.open;
  });
  useEffect(() => {
    if (element.current === null || marks === undefined || own.length === 0) return undefined;
    return markWords(element.current, {
      text,
      notes: own,
      marks,
      onOpen: (noteId) => open.current?.(noteId),
    });
  }, [marks, own, text]);
  return (
    <div ref={element} className="min-w-0">
      {children}
    </div>
  );
}

/** Reports whether a note may quote words of a text. Of several texts of a span, its place names one. */
function isOn({ spanId, field, start, quote }: Note, text: NotableText): boolean {
  if (quote === null || start === null || field !== text.field) return false;
  if (spanId !== text.spanId) return text.also.includes(spanId);
  return text.base === null || (start >= text.base && start <= text.base + text.source.length);
}

interface MarkedText {
  text: NotableText;
  notes: readonly Note[];
  marks: Marks;
  onOpen: (noteId: string) => void;
}

/** Marks the words of notes in an element, also after its content has changed. Returns a function that removes the marks. */
function markWords(element: HTMLElement, { text, notes, marks, onOpen }: MarkedText): () => void {
  let marked: { id: string; range: Range }[] = [];
  const clear = (): void => {
    for (const { id, range } of marked) marks.remove(id, range);
    marked = [];
  };
  const mark = (): void => {
    clear();
    const shown = shownText(element);
    for (const note of notes) {
      const place = placeOf(note, text, shown.text);
      if (place) marked.push({ id: note.id, range: shown.range(place) });
    }
    for (const { id, range } of marked) marks.add(id, range);
  };
  const press = ({ clientX, clientY }: MouseEvent): void => {
    if (document.getSelection()?.isCollapsed === false) return;
    const found = marked.findLast(({ range }) =>
      [...range.getClientRects()].some(
        ({ left, right, top, bottom }) =>
          clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
      ),
    );
    if (found) onOpen(found.id);
  };
  const observer = new MutationObserver(mark);
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  element.addEventListener('click', press);
  mark();
  return () => {
    observer.disconnect();
    element.removeEventListener('click', press);
    clear();
  };
}

/** Returns the place of the words of a note in a text as it is shown. */
function placeOf({ quote, start }: Note, { source, base }: NotableText, shown: string): Place | undefined {
  if (quote === null || start === null) return undefined;
  const own = start - (base ?? 0);
  return (
    samePlace(quote, { text: source, start: own }, shown) ?? nearestPlace(placesOfWords(shown, quote), own)
  );
}
