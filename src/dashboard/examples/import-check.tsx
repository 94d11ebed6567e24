import type { ReactNode } from 'react';
import type { ExampleImport } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';
import { SelectField } from '../ui/field.tsx';
import { Section } from '../ui/panel.tsx';
import { RejectedRows } from '../ui/rejected-rows.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { valueText } from './example-draft.ts';

const FIELDS = [
  ['input', 'Input'],
  ['expected', 'Expected output'],
  ['key', 'Key'],
  ['rubric', 'Rubric'],
  ['rubrics', 'Rubrics by evaluator'],
  ['split', 'Subset'],
  ['tags', 'Tags'],
  ['metadata', 'Metadata'],
  ['weight', 'Weight'],
] as const;

const ACTIONS = { CREATED: 'to create and link', LINKED: 'to link', KEPT: 'linked already' } as const;

interface ImportCheckProps {
  /** Result of a dry run. */
  report: ExampleImport;
  /** Takes a field from another column, or from none. */
  onMap: (field: string, column: string | null) => void;
}

/** Shows what an import would do. */
export function ImportCheck({ report, onMap }: ImportCheckProps): ReactNode {
  const { rows, created, updated, unchanged, rejected, rejectedCount, mapping, unusedColumns } = report;
  const { replaced, notCarried, format, assertions, rubrics, definitions } = report;
  const columns = [...new Set([...Object.values(mapping), ...unusedColumns])];
  return (
    <>
      <p>
        <strong>
          {formatWhole(rows)} {rows === 1 ? 'row' : 'rows'}
        </strong>
        : {formatWhole(created)} to add, {formatWhole(updated)} to change, {formatWhole(unchanged)} unchanged
        {rejectedCount > 0 && (
          <>
            , <span className="text-fail">✕ {formatWhole(rejectedCount)} rejected</span>
          </>
        )}
        .
      </p>
      <Section title="Columns">
        <div className="grid grid-cols-4 gap-x-4 gap-y-2 max-[600px]:grid-cols-2">
          {FIELDS.map(([field, title]) => (
            <SelectField
              key={field}
              label={title}
              value={mapping[field] ?? ''}
              choices={columns.map((column) => [column, column] as const)}
              onChange={({ target }) => onMap(field, target.value || null)}
            >
              <option value="">– none</option>
            </SelectField>
          ))}
        </div>
        {unusedColumns.length > 0 && (
          <p className="pt-2 text-doubt">
            Not used: <span className="font-semibold break-words">{unusedColumns.join(', ')}</span>
          </p>
        )}
        <NotCarried parts={notCarried} />
      </Section>
      {(format !== null || definitions.length > 0) && (
        <Section title="Plan">
          <ul>
            {format !== null && <li>Format: {format}</li>}
            {assertions > 0 && <li>{formatWhole(assertions)} examples with checks of their own</li>}
            {rubrics > 0 && <li>{formatWhole(rubrics)} examples with a rubric</li>}
            {definitions.map(({ name, type, action }) => (
              <li key={name} className="break-words">
                Evaluator {name} ({type}): {ACTIONS[action]}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Replaced rows={replaced} />
      <Preview rows={report.preview} />
      {rejected.length > 0 && (
        <Section title="Rejected rows">
          <RejectedRows rows={rejected} />
        </Section>
      )}
    </>
  );
}

const NotCarried = ({ parts }: { parts: readonly string[] }): ReactNode =>
  parts.length > 0 && (
    <p className="pt-2 text-doubt">
      Not imported: <span className="font-semibold break-words">{parts.join('; ')}</span>
    </p>
  );

const Replaced = ({ rows }: { rows: ExampleImport['replaced'] }): ReactNode =>
  rows.length > 0 && (
    <Section title="Examples to change">
      <ul>
        {rows.map(({ line, key, fields }) => (
          <li key={line} className="break-words">
            Line {formatWhole(line)}: {fields.join(', ')} of {key}
          </li>
        ))}
      </ul>
    </Section>
  );

const Preview = ({ rows }: { rows: ExampleImport['preview'] }): ReactNode =>
  rows.length > 0 && (
    <Section title="First examples">
      <SmallTable label="First examples" heads={[['Input'], ['Expected output', 'w-[40%]']]} isFixed>
        {rows.map(({ input, expected }, index) => (
          <tr key={index} className="border-t border-line">
            <td className="truncate py-1 pr-2">{valueText(input)}</td>
            <td className="truncate py-1">{valueText(expected)}</td>
          </tr>
        ))}
      </SmallTable>
    </Section>
  );
