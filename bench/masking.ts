/**
 * Prints how well the detectors find the labelled values, and what masking costs for each span: `npm run bench:masking`.
 */
import { randomBytes } from 'node:crypto';
import { maskOtlp, TRACES_REQUEST } from '../src/ingest/mask-otlp.ts';
import { scanTraces } from '../src/ingest/otlp/scan.ts';
import { DETECTED_KINDS } from '../src/detect/finding.ts';
import { compileRules, Masker } from '../src/masking/masker.ts';
import { inOneTurn } from '../src/runtime/steps.ts';
import { NO_RULES } from '../src/masking/rules.ts';
import { createPriceList } from '../src/traces/prices/price-list.ts';
import { buildBatch } from '../src/traces/batch.ts';
import { WireWriter } from '../src/traces/wire/writer.ts';
import { accuracy, accuracyTable, readLabelled } from './masking-accuracy.ts';

const SPANS = 100;
const ROUNDS = 30;
const PRICES = createPriceList();
const SENTENCE = 'The customer asked about the delivery of order 10293, which was due on 2026-11-20. ';

/** Makes a request of model calls with this many characters of messages, and one address in each. */
function request(characters: number): Buffer {
  const content = `${SENTENCE.repeat(Math.ceil(characters / SENTENCE.length))} Contact: anna@example.com`;
  const messages = JSON.stringify([{ role: 'user', content }]);
  const writer = new WireWriter();
  const resourceSpans = writer.begin(1);
  const scopeSpans = writer.begin(2);
  for (let i = 0; i < SPANS; i += 1) {
    const span = writer.begin(2);
    writer.bytesField(1, randomBytes(16));
    writer.bytesField(2, randomBytes(8));
    writer.stringField(5, 'chat gpt-4o');
    for (const field of [7, 8]) {
      writer.tag(field, 1);
      writer.fixed64(1_700_000_000_000_000_000n);
    }
    for (let k = 0; k < 12; k += 1) attribute(writer, `app.attribute.${k}`, `value ${k}`);
    attribute(writer, 'gen_ai.request.model', 'gpt-4o');
    attribute(writer, 'gen_ai.input.messages', messages);
    writer.end(span);
  }
  writer.end(scopeSpans);
  writer.end(resourceSpans);
  return writer.toBuffer();
}

function attribute(writer: WireWriter, key: string, value: string): void {
  const pair = writer.begin(9);
  writer.stringField(1, key);
  const any = writer.begin(2);
  writer.stringField(1, value);
  writer.end(any);
  writer.end(pair);
}

const compiled = (patterns: number) =>
  compileRules({
    rules: {
      ...NO_RULES,
      detectors: DETECTED_KINDS,
      patterns: Array.from({ length: patterns }, (_, i) => ({
        name: `own-${i}`,
        pattern: `(?:EMP|CUST)-${i}\\d{5}`,
      })),
    },
    key: new Uint8Array(32),
  });

/** Returns microseconds of CPU for each span, from the bytes of a request to the blocks that are stored. */
function cost(body: Buffer, rules: ReturnType<typeof compiled> | null): number {
  const run = (): void => {
    const masker = rules && new Masker(rules);
    const bytes = masker ? inOneTurn(maskOtlp(body, TRACES_REQUEST, masker)) : body;
    buildBatch(scanTraces(bytes, 0n, PRICES).spans);
  };
  for (let i = 0; i < 5; i += 1) run();
  const before = process.cpuUsage();
  for (let i = 0; i < ROUNDS; i += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (ROUNDS * SPANS);
}

console.log(accuracyTable(accuracy(readLabelled())));
console.log('\nCPU for each span in the prepare thread, in microseconds:\n');
console.log(
  '| Characters of messages | No rules | All detectors | All detectors and 5 patterns |\n|---|---|---|---|',
);
for (const characters of [200, 2_000, 20_000]) {
  const body = request(characters);
  const costs = [null, compiled(0), compiled(5)].map((rules) => cost(body, rules).toFixed(0));
  console.log(`| ${characters} | ${costs.join(' | ')} |`);
}
