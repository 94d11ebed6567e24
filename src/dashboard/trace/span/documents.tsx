import type { ReactNode } from 'react';
import { formatWhole } from '../../format/number.ts';
import { Section } from '../../ui/panel.tsx';
import { JsonTree } from './json-tree.tsx';
import type { ShownDocument } from './message.ts';
import { Card } from './messages.tsx';

/** Retrieved documents with their scores. */
export function Documents({ documents }: { documents: readonly ShownDocument[] }): ReactNode {
  const highest = Math.max(...documents.map(({ score }) => score ?? 0), 0);
  return (
    <Section title={`Documents · ${formatWhole(documents.length)}`}>
      <ol className="grid gap-2">
        {documents.map(({ id, content, score, metadata }, at) => (
          <li key={at}>
            <Card
              title={id ?? `Document ${at + 1}`}
              note={
                score !== undefined && (
                  <span className="inline-flex items-center gap-2">
                    <meter
                      className="w-16"
                      min={0}
                      max={Math.max(highest, 1e-9)}
                      value={score}
                      aria-label={`Score of document ${at + 1}`}
                    />
                    {Number(score.toPrecision(4))}
                  </span>
                )
              }
            >
              {content !== undefined && <p className="break-words whitespace-pre-wrap">{content}</p>}
              {metadata !== undefined && (
                <details className="mt-1">
                  <summary className="cursor-pointer text-label text-dim">Metadata</summary>
                  <JsonTree value={metadata} label="Metadata" />
                </details>
              )}
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  );
}
