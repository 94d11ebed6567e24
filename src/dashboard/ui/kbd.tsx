import type { ReactNode } from 'react';

/** Shows keys of the keyboard, `g t` as two of them. Screen readers get them from the help. */
export function Kbd({ keys }: { keys: string }): ReactNode {
  return (
    <span aria-hidden="true" className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="min-w-4 rounded-sm border border-edge px-1 text-center font-sans text-[10px] leading-[14px] font-normal"
        >
          {SIGNS[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}

const SIGNS: Readonly<Record<string, string>> = { Enter: '↵', Shift: '⇧' };
