import type { ReactNode } from 'react';
import type { ListedDocumentVersion } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';
import { WordDiff } from '../ui/word-diff.tsx';
import { Choice } from '../ui/choice.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { useVersion } from './use-version.ts';

interface VersionContentProps {
  documentId: string;
  /** Number of the version that is shown. */
  to: number;
  /** Number of the version that it is compared with. */
  from: number | undefined;
  versions: readonly ListedDocumentVersion[];
  onFrom: (number: string) => void;
}

/** Shows the text of a version, or how it differs from another one, word by word. */
export function VersionContent({ documentId, to, from, versions, onFrom }: VersionContentProps): ReactNode {
  const version = useVersion(documentId, to);
  const before = useVersion(documentId, from);
  const others = versions.filter(({ versionNumber }) => versionNumber !== to);
  return (
    <Section
      title={from === undefined ? `Version ${to}` : `Version ${to}, compared with ${from}`}
      actions={
        others.length > 0 && (
          <Choice
            label="Compare with"
            anyText="Compare with …"
            value={from === undefined ? '' : String(from)}
            choices={others.map(({ versionNumber }) => [String(versionNumber), `version ${versionNumber}`])}
            onChoose={onFrom}
          />
        )
      }
    >
      <Loaded of={version}>
        {({ data: { title, content, language } }) => (
          <>
            <p className="py-1 text-dim">
              {title} · {language} · {formatWhole(content.length)} characters
            </p>
            {from === undefined ? (
              <p className="max-w-[75ch] text-reading break-words whitespace-pre-wrap">{content}</p>
            ) : (
              <Loaded of={before}>{({ data }) => <WordDiff a={data.content} b={content} />}</Loaded>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
