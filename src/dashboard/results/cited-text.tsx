import type { ReactNode } from 'react';
import { citedParts } from './cited-parts.ts';
import type { ResultSide } from './result-types.ts';

/** Shows an output with the words underlined that failed verdicts are about. */
export const CitedText = ({ side }: { side: Pick<ResultSide, 'output' | 'verdicts'> }): ReactNode =>
  citedParts(side).map(({ text, isCited }, index) =>
    isCited ? (
      <mark key={index} className="rounded-sm bg-fail-soft text-fail underline underline-offset-2">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
