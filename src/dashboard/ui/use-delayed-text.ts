import { useEffect, useState } from 'react';

/** Holds what is typed, and reports it once no letter has followed for `waitMs`. */
export function useDelayedText(
  value: string,
  onChange: (text: string) => void,
  waitMs: number,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), waitMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange, waitMs]);
  return [text, setText];
}
