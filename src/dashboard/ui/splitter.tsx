import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';

const STEP = 16;

interface SplitterProps {
  /** Names what becomes wider or narrower. */
  label: string;
  width: number;
  min: number;
  max: number;
  onChange: (width: number) => void;
  onReset: () => void;
}

/** The line between two panes, which changes the width of the right one. A double click restores it. */
export function Splitter({ label, width, min, max, onChange, onReset }: SplitterProps): ReactNode {
  const set = (next: number): void => onChange(Math.round(Math.min(Math.max(next, min), max)));
  const press = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: max, End: min }[event.key];
    if (event.key === 'Enter') onReset();
    else if (next === undefined) return;
    else set(next);
    event.preventDefault();
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const right = event.currentTarget.parentElement?.getBoundingClientRect().right ?? 0;
    set(right - event.clientX);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className="relative w-px shrink-0 cursor-col-resize touch-none bg-line outline-none after:absolute after:inset-y-0 after:-left-1 after:w-[9px] after:content-[''] hover:bg-accent focus-visible:bg-accent focus-visible:outline-2"
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={onReset}
    />
  );
}

/** Holds the width of a pane, which the browser keeps. */
export function useStoredWidth(
  name: string,
  usual: number,
): readonly [width: number, change: (width: number) => void, reset: () => void] {
  const key = `touchstone.width.${name}`;
  const [width, setWidth] = useState(() => Number(localStorage.getItem(key)) || usual);
  return [
    width,
    (next) => {
      localStorage.setItem(key, String(next));
      setWidth(next);
    },
    () => {
      localStorage.removeItem(key);
      setWidth(usual);
    },
  ];
}
