import { MessageSquarePlus } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useShortcuts } from '../../app/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { type SelectedWords, selectedWords } from './selected-words.ts';
import type { TraceNotes } from './trace-notes-context.ts';

/** Width of the button, and how far it stays from the edges of the window, in pixels. */
const WIDTH = 120;
const MARGIN = 8;
/** Height of what may cover the bottom of the window: the tab bar of a phone. */
const BOTTOM = 96;

/** Offers to write a note on the words that are selected, beside their end. */
export function SelectionButton({ texts, write }: Pick<TraceNotes, 'texts' | 'write'>): ReactNode {
  const selected = useSelectedWords(texts);
  if (selected === null) return null;
  const { x, y } = selected.at;
  return (
    <div
      className="fixed z-30 rounded-md bg-page"
      style={{
        left: Math.max(MARGIN, Math.min(x - WIDTH / 2, innerWidth - WIDTH - MARGIN)),
        top: Math.max(MARGIN, Math.min(y + MARGIN, innerHeight - BOTTOM)),
      }}
      // The words stay selected.
      onPointerDown={(event) => event.preventDefault()}
    >
      <ClearSelection />
      <Button look="primary" keys="w" onClick={() => write(selected.target)}>
        <MessageSquarePlus size={13} aria-hidden="true" />
        Add note
      </Button>
    </div>
  );
}

/** Makes `Esc` clear the selection before it leads back. */
function ClearSelection(): ReactNode {
  const run = (): void => document.getSelection()?.removeAllRanges();
  useShortcuts([{ keys: 'Esc', label: 'Clear the selection', group: 'This trace', run }]);
  return null;
}

/** Returns the words that are selected, once the pointer is released. */
function useSelectedWords(texts: TraceNotes['texts']): SelectedWords | null {
  const [selected, setSelected] = useState<SelectedWords | null>(null);
  const read = useCallback(() => setSelected(selectedWords(texts)), [texts]);
  useEffect(() => {
    let isPressed = false;
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      if (!isPressed) frame = requestAnimationFrame(read);
    };
    const press = ({ pointerType }: PointerEvent): void => {
      isPressed = pointerType === 'mouse';
    };
    const release = (): void => {
      isPressed = false;
      later();
    };
    const listening = new AbortController();
    const { signal } = listening;
    const options = { capture: true, passive: true, signal };
    document.addEventListener('selectionchange', later, { signal });
    document.addEventListener('pointerdown', press, options);
    document.addEventListener('pointerup', release, options);
    document.addEventListener('pointercancel', release, options);
    document.addEventListener('scroll', later, options);
    addEventListener('resize', later, { signal });
    return () => {
      cancelAnimationFrame(frame);
      listening.abort();
    };
  }, [read]);
  return selected;
}
