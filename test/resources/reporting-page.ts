/** Makes docs/reporting.md: how to make a report, and what it can be made of. */
import { aggregationsOf, type ReportColumn, operatorsOf } from '../../src/resources/reporting/column.ts';
import { DATASOURCES, datasourceId } from '../../src/resources/reporting/datasources.ts';

const code = (text: string): string => `\`${text}\``;
const list = (names: readonly string[]): string => names.map(code).join(', ');

export const reportingPage = (): string => `${INTRODUCTION}
${types()}

## Columns

A column marked * may have several values in one row; one marked † is a measure, which nothing can be grouped by.

${datasourceId.options.map(section).join('\n\n')}
`;

function types(): string {
  const columns = Object.values(DATASOURCES).flatMap((datasource) => Object.values(datasource.columns));
  const examples = new Map(columns.filter(({ isMany }) => !isMany).map((column) => [column.type, column]));
  const rows = [...examples].map(
    ([type, column]) => `| ${code(type)} | ${list(operatorsOf(column))} | ${list(aggregationsOf(column))} |`,
  );
  return `| Type | Operators | Aggregations |
|---|---|---|
${rows.join('\n')}`;
}

function section(id: (typeof datasourceId.options)[number]): string {
  const { title, description, columns, passRate } = DATASOURCES[id];
  const rows = Object.entries(columns).map(
    ([name, column]) => `| ${code(name)}${mark(column)} | ${column.type} | ${meaning(column)} |`,
  );
  const rate = passRate === undefined ? '' : ` The pass rate of a group is the mean of ${code(passRate)}.`;
  return `### ${code(id)}: ${title.toLowerCase()}

${description}${rate}

| Column | Type | Meaning |
|---|---|---|
${rows.join('\n')}`;
}

const mark = ({ isMany, isContinuous }: ReportColumn): string => (isMany ? ' *' : isContinuous ? ' †' : '');

function meaning({ title, description, unit, values }: ReportColumn): string {
  return [
    `${title}${unit === undefined ? '' : `, in ${unit}`}. ${description}`,
    ...(values ? [`One of ${list(values)}.`] : []),
  ].join(' ');
}

const INTRODUCTION = `# Reports

How did each model do last week? Which tasks fail most? What does a test cost? A report filters the rows of a *datasource*, groups
them, and measures each group. \`api\` below is the function of the [guide](guide.md).

## See what there is

\`\`\`sh
api /v0/reporting/datasources                                        # tasks, tests, evals …
api /v0/reporting/datasources/test/columns                           # what is known of a test, and what can be asked of it
api '/v0/reporting/datasources/test/columns/topic/values?search=ret' # the topics that tests have, by name
\`\`\`

Values are the first 1 000, as text: of a relation the id and the name of the record, of everything else the value twice.

## Make a report

Tests of the last days by day and model:

\`\`\`sh
api /v0/reporting/query -H 'content-type: application/json' -d '{
  "datasource": "test",
  "filters": [
    { "column": "createdAt", "operator": "gte", "value": "2026-03-23T00:00:00Z" },
    { "column": "runType", "operator": "in", "value": ["MANUAL", "SCHEDULED"] }
  ],
  "groupBy": [{ "column": "createdAt", "truncate": "day" }, { "column": "model" }],
  "timeZone": "Europe/Berlin",
  "measurements": [
    { "aggregation": "count" },
    { "aggregation": "passRate" },
    { "aggregation": "p95", "column": "traceDurationMs", "as": "slow" }
  ],
  "orderBy": [{ "by": "createdAt", "direction": "desc" }],
  "limit": 100
}'
# { "data": [ { "groups": { "createdAt": "2026-03-28T23:00:00.000Z", "model": "gpt-5-mini" },
#               "values": { "count": 120, "passRate": 87.5, "slow": 2310 } } ],
#   "columns": [ … ], "pagination": { "skip": 0, "limit": 100, "total": 14, "totalPages": 1 } }
\`\`\`

- **Filters** apply together. \`ne\` and \`notIn\` take rows without a value too; \`between\` takes both ends. \`in\` and \`notIn\` take a
  list of at most 100, \`isNull\` and \`isNotNull\` no value. Of a column with several values \`eq\`, \`in\` and \`contains\` ask whether one
  of them fits, \`ne\` and \`notIn\` whether none does. \`contains\` does not tell upper from lower case, in any script.
- **Groups** are at most five. Rows without a value are a group of their own, \`null\`. A row with several values counts in the group of
  each, so that the groups may add up to more than there is. Without groups the answer is one row.
- **Dates** are truncated in \`timeZone\`, an IANA name. What is answered is the moment at which the hour, day, week (from
  Monday), month, quarter or year began, in UTC: the 29th of March in Berlin is \`2026-03-28T23:00:00.000Z\` and 23 hours long. The hour
  that clocks show twice is two groups.
- **Measurements** are at most ten. \`count\` counts rows; with a column, those that have a value. What has no value is left out of all
  others; where nothing is left, the answer is \`null\`. Percentiles interpolate between neighbours.
- **Order** is by the groups unless \`orderBy\` names others: groups by their column, measurements by \`as\` (else the aggregation, or
  \`aggregation_column\`). Relations go by name; \`null\` comes last either way.
- **Names of columns** are those of the tables below and no others. A wrong one, or a value that does not fit its column, is answered
  422 with the path to it. Texts such as prompts and critiques are no columns.
- **Limits**: a report may look at 2 000 000 rows (422 beyond) and take ten seconds (503); filter by \`createdAt\` then. One report runs
  at a time; 32 may wait.

What the type of a column allows:
`;
