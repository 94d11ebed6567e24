import type { UploadBody } from '../../contract/upload.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import type { Write } from '../../storage/calls.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import { importExamples, linkImportDefinitions } from './calls.ts';
import type { Owner } from '../../contract/owner.ts';
import {
  type GivenMapping,
  emptyImport,
  type importFields,
  type ImportMapping,
  type ImportReport,
} from './import-contract.ts';
import { exampleOf, type UsableRow } from './import-example.ts';
import { RepeatedKeys, repeatedFault } from './repeated-keys.ts';
import { ASSERTION_COLUMN, recognise, SETTING_COLUMN } from './import-formats.ts';
import { guessMapping } from './import-mapping.ts';
import { columnsTaken } from './import-value.ts';
import type { NeededDefinitions } from './import-definitions.ts';
import { readRows, unusable } from './import-rows.ts';
import { MAX_IMPORT_ROWS } from './input-limits.ts';
import { ERASED_KEY } from './origin.ts';
import { objectOfInput, type PromptSchema } from './require-valid-input.ts';

/** Most rows and characters of one command, so that it occupies the writer only briefly. */
const BATCH_ROWS = 100;
const BATCH_CHARACTERS = 256 * 1024;
/** Most rows that the report names, rejected and replaced ones each. */
const MAX_REJECTED = 100;
const PREVIEW = 3;
/** Most metrics of rubrics that get a definition each. */
const MAX_METRICS = 20;

interface TakeImport {
  owner: Owner;
  taskId: string;
  schema: PromptSchema;
  checkInputs: CheckInputs;
  write: Write;
  now: () => number;
}

/**
 * Imports the rows of a file in bounded steps. Stored examples remain even if a later row fails; importing the same file again
 * creates none twice. Throws AppError `invalid` for an unusable file.
 */
export async function takeImport(
  { file, fields }: UploadBody<typeof importFields>,
  { owner, taskId, schema, checkInputs, write, now }: TakeImport,
): Promise<ImportReport> {
  const { application } = owner;
  const dryRun = fields.dryRun === 'true';
  const report: ImportReport = { dryRun, ...emptyImport(), preview: [] };
  let [batch, characters]: [UsableRow[], number] = [[], 0];
  const store = async (): Promise<void> => {
    const rows = await validRows(batch, report, { application, schema, checkInputs });
    const counts = await write(importExamples, { application, taskId, rows, dryRun, at: now() });
    for (const name of ['created', 'updated', 'unchanged'] as const) report[name] += counts[name];
    for (const { index, ...replaced } of counts.replaced)
      if (report.replaced.length < MAX_REJECTED)
        report.replaced.push({ line: rows[index]?.line ?? 0, ...replaced });
    for (const index of counts.erased) reject(report, rows[index]?.line ?? 0, `key: ${ERASED_KEY}`);
    [batch, characters] = [[], 0];
  };
  const onLost = (parts: readonly string[]): void => {
    report.notCarried.push(...parts.slice(0, MAX_REJECTED));
  };
  const repeated = new RepeatedKeys();
  const needs: NeededDefinitions = {
    assertions: false,
    rubric: false,
    metrics: new Set(),
    similar: new Map(),
  };
  const mappings = new Mappings(fields.mapping ?? {}, report, /\.[ct]sv$/i.test(file.name));
  for await (const entry of readRows(file, { maxRows: MAX_IMPORT_ROWS, onLost })) {
    if (report.rows === MAX_IMPORT_ROWS) {
      // Leaves space for this entry, however many rows were rejected before.
      report.rejected.splice(MAX_REJECTED - 1);
      reject(
        report,
        entry.line,
        `is beyond the limit of ${MAX_IMPORT_ROWS} rows; the rest of the file was not read`,
      );
      break;
    }
    report.rows += 1;
    if ('error' in entry) {
      reject(report, entry.line, entry.error);
      continue;
    }
    const example = exampleOf(entry.line, entry.row, mappings.of(entry.row), schema !== null);
    if ('error' in example) {
      reject(report, example.line, example.error);
      continue;
    }
    const { key, input, expected } = example.fields;
    const before = repeated.find(example);
    if (before?.isSame) {
      report.unchanged += 1;
      continue;
    }
    if (before) {
      reject(report, example.line, repeatedFault(example, before.line));
      continue;
    }
    for (const lost of example.notCarried)
      if (report.notCarried.length < MAX_REJECTED) report.notCarried.push(lost);
    const { rubric, rubrics, assertions, metadata, tags } = example.fields;
    if (assertions !== null) report.assertions += 1;
    if (rubric !== null || rubrics !== null) report.rubrics += 1;
    needs.assertions ||= assertions !== null;
    needs.rubric ||= rubric !== null;
    for (const metric of Object.keys(rubrics ?? {}))
      addMetric(needs, metric, report, example.similar[metric]);
    if (report.preview.length < PREVIEW)
      report.preview.push({ key, input, expected, rubric, rubrics, assertions, metadata, tags });
    batch.push(example);
    characters += JSON.stringify(example.fields).length;
    if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await store();
  }
  if (report.rows === 0) throw unusable('must have rows');
  if (batch.length > 0) await store();
  if (fields.definitions === 'true' && report.format === 'promptfoo')
    report.definitions = await write(linkImportDefinitions, { owner, taskId, needs, dryRun, at: now() });
  return report;
}

/** Adds a metric, or a text to be similar to by its threshold, that needs a definition of its own; those beyond the limit are reported. */
function addMetric(
  { metrics, similar }: NeededDefinitions,
  metric: string,
  { notCarried }: ImportReport,
  threshold: number | undefined,
): void {
  if (metrics.has(metric) || similar.has(metric)) return;
  if (metrics.size + similar.size < MAX_METRICS) {
    if (threshold === undefined) metrics.add(metric);
    else similar.set(metric, threshold);
  } else {
    const lost = `file: a definition for each of more than ${MAX_METRICS} metrics`;
    if (notCarried.length < MAX_REJECTED && !notCarried.includes(lost)) notCarried.push(lost);
  }
}

/** Returns the rows whose input matches the schema of the task, and rejects the others. */
async function validRows(
  rows: readonly UsableRow[],
  report: ImportReport,
  { application, schema, checkInputs }: Pick<TakeImport, 'schema' | 'checkInputs'> & { application: number },
): Promise<UsableRow[]> {
  if (schema === null) return [...rows];
  const objects = rows.flatMap((row): { row: UsableRow; input: JsonValue }[] => {
    const input = objectOfInput(row.fields.input, schema);
    return input === null ? [] : [{ row, input }];
  });
  const inputs = objects.map(({ input }) => input);
  const faults = await checkInputs({ application, schema, inputs });
  const faultOf = new Map(objects.map(({ row }, index) => [row, faults[index]]));
  return rows.filter((row) => {
    const fault = faultOf.get(row);
    if (fault) reject(report, row.line, `input: ${fault}`);
    return !fault;
  });
}

/** Most sets of columns whose mapping is kept. */
const MAX_KEPT = 100;

/** Mappings of rows. Objects of a file may have different members, so each set of columns has its own. */
class Mappings {
  private readonly given: GivenMapping;
  private readonly report: ImportReport;
  private readonly known = new Map<string, ImportMapping>();
  private readonly unused = new Set<string>();
  private readonly used = new Set<string>();
  /** True if all rows have the same columns, so that the first one must have those that the mapping names. */
  private readonly hasFixedColumns: boolean;
  private isFirst = true;

  constructor(given: GivenMapping, report: ImportReport, hasFixedColumns: boolean) {
    this.given = given;
    this.report = report;
    this.hasFixedColumns = hasFixedColumns;
  }

  /** Returns the mapping of a row with these columns, and reports it. Throws `invalid` for an unusable first row. */
  of(row: Readonly<Record<string, unknown>>): ImportMapping {
    const columns = Object.keys(row);
    const recognised = recognise(row);
    const signature = JSON.stringify([recognised, columns]);
    const before = this.known.get(signature);
    if (before) return before;
    const mapping = guessMapping(columns, this.given, recognised);
    this.report.format ??= recognised?.format ?? null;
    if (this.isFirst) this.checkFirst(columns, mapping);
    this.isFirst = false;
    if (this.known.size < MAX_KEPT) this.known.set(signature, mapping);
    this.addToReport(columns, mapping);
    return mapping;
  }

  private checkFirst(columns: readonly string[], mapping: ImportMapping): void {
    const missing = Object.values(this.given)
      .flatMap((source) => source ?? [])
      .find((path) => columnsTaken(columns, path).length === 0);
    if (this.hasFixedColumns && missing !== undefined)
      throw unusable(`must have the column ${JSON.stringify(missing)}; got ${columns.join(', ')}`);
    if (mapping.input === undefined)
      throw unusable(`must have a column for the input, named by \`mapping\`; got ${columns.join(', ')}`);
  }

  private addToReport(columns: readonly string[], mapping: ImportMapping): void {
    const { report, unused } = this;
    const shown = Object.entries(mapping).map(([field, source]) => [field, [source].flat().join(', ')]);
    report.mapping = { ...(Object.fromEntries(shown) as Record<string, string>), ...report.mapping };
    for (const source of Object.values(mapping))
      for (const column of columnsTaken(columns, source)) this.used.add(column);
    const { used } = this;
    const hasAssertions = columns.some((column) => ASSERTION_COLUMN.test(column));
    for (const column of columns)
      if (ASSERTION_COLUMN.test(column) || (hasAssertions && SETTING_COLUMN.test(column))) used.add(column);
    for (const column of columns) if (!used.has(column) && unused.size < MAX_KEPT) unused.add(column);
    report.unusedColumns = [...unused].filter((column) => !used.has(column));
  }
}

function reject(report: ImportReport, line: number, error: string): void {
  report.rejectedCount += 1;
  if (report.rejected.length < MAX_REJECTED) report.rejected.push({ line, error });
}
