import { readFileSync } from 'node:fs';
import { detect } from '../src/detect/detect.ts';
import { DETECTED_KINDS, type DetectedKind } from '../src/detect/finding.ts';

interface Labelled {
  text: string;
  labels: [kind: DetectedKind, value: string][];
}

/** Precision and recall of a detector in the labelled texts. */
export interface Accuracy {
  kind: DetectedKind;
  labelled: number;
  precision: number;
  recall: number;
  /** Texts with values that were missed, or places that were found and are none. */
  missed: string[];
  wrong: string[];
}

const FILE = new URL('../test/masking/labelled.jsonl', import.meta.url);
const ALL = new Set(DETECTED_KINDS);

export const readLabelled = (): Labelled[] =>
  readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled);

/** Compares the findings of every detector with the labels: a value counts as found only if its place is exact. */
export function accuracy(labelled: readonly Labelled[]): Accuracy[] {
  return DETECTED_KINDS.map((kind) => {
    const [missed, wrong]: string[][] = [[], []];
    let [found, expected, right] = [0, 0, 0];
    for (const { text, labels } of labelled) {
      const wanted = new Set(labels.filter(([of]) => of === kind).map(([, value]) => value));
      expected += wanted.size;
      for (const { kind: of, start, end } of detect(text, ALL)) {
        if (of !== kind) continue;
        found += 1;
        const value = text.slice(start, end);
        if (wanted.delete(value)) right += 1;
        else wrong?.push(`${value} in ${text}`);
      }
      if (wanted.size > 0) missed?.push(text);
    }
    return {
      kind,
      labelled: expected,
      precision: right / found,
      recall: right / expected,
      missed: missed ?? [],
      wrong: wrong ?? [],
    };
  });
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Writes the table of docs/masking.md. */
export const accuracyTable = (rows: readonly Accuracy[]): string =>
  [
    '| Detector | Labelled values | Precision | Recall |',
    '|---|---|---|---|',
    ...rows.map(
      ({ kind, labelled, precision, recall }) =>
        `| \`${kind}\` | ${labelled} | ${percent(precision)} | ${percent(recall)} |`,
    ),
  ].join('\n');
