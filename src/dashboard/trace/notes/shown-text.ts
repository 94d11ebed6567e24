import type { Place } from './quoted-words.ts';

/** The text that an element shows, and the nodes that have it. */
interface ShownText {
  text: string;
  /** Returns the part of the document that has these characters. */
  range: (place: Place) => Range;
}

/** Reads the text of an element. */
export function shownText(element: HTMLElement): ShownText {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const pointAt = (offset: number, isEnd: boolean): [Node, number] => {
    const found = nodes.findLast(({ start }) => (isEnd ? start < offset : start <= offset));
    return found === undefined ? [element, 0] : [found.node, offset - found.start];
  };
  const range = ({ start, end }: Place): Range => {
    const made = document.createRange();
    made.setStart(...pointAt(start, false));
    made.setEnd(...pointAt(end, true));
    return made;
  };
  return { text, range };
}
