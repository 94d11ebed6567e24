/** The order of the files of tests: none that takes long is left for the end, where it would run alone. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TESTS = join(import.meta.dirname, '..');

/** Files that take more than about five seconds of processor time, the longest first. One that is missing here costs some seconds at the end. */
const LONG: readonly string[] = [
  // `npm test`
  'resources/run-sets.test.ts',
  'api/openapi.test.ts',
  'traces/list.test.ts',
  'api/scopes.test.ts',
  'resources/retention.test.ts',
  'architecture.test.ts',
  'resources/results.test.ts',
  'resources/issues.test.ts',
  'resources/webhook.test.ts',
  'resources/tasks.test.ts',
  'jobs/runner.test.ts',
  'traces/sessions.test.ts',
  'traces/tree.test.ts',
  'traces/read.test.ts',
  'resources/evals.test.ts',
  'people/members.test.ts',
  'server/rate-limit.test.ts',
  // `npm run test:all` and `npm run test:nightly`
  'conformance/run.test.ts',
  'api/isolation.long.test.ts',
  'people/every-route.long.test.ts',
  'storage/sqlite.long.test.ts',
  'resources/canaries.long.test.ts',
  'server/methods.long.test.ts',
  'resources/quickstarts.long.test.ts',
  'ingest/inflate.long.test.ts',
  'resources/experiments-run.long.test.ts',
  'ingest/otlp/scan.long.test.ts',
  'ingest/otlp/logs-scan.long.test.ts',
  'resources/import-documents.long.test.ts',
  'resources/documents-upload.long.test.ts',
  'resources/webhook-deliveries.long.test.ts',
  'resources/reliability.long.test.ts',
  'ingest/grpc.long.test.ts',
  'resources/scrape-sites.long.test.ts',
  'resources/drawn-samples.long.test.ts',
  'resources/experiments-variants.long.test.ts',
  'resources/test-stream.long.test.ts',
  'ingest/amplification.long.test.ts',
  'storage/query-plans.long.test.ts',
  'api/every-limit.long.test.ts',
  'server/revoked-calls.long.test.ts',
  'storage/bounded-commands.long.test.ts',
  'resources/erasure-of-copies.long.test.ts',
  'storage/bounded-variants.long.test.ts',
  'storage/bounded-definitions.long.test.ts',
  'exporters/bounds/bounds.linux.test.ts',
  'exporters/otel/lines.test.ts',
  'python/package.test.ts',
  'chaos/chaos.test.ts',
  'e2e/store-lock.test.ts',
  'storm/storm.test.ts',
  'cli/serve.test.ts',
  'examples/any-order.test.ts',
  'e2e/instrumentations.test.ts',
  'python/example.test.ts',
  'examples/webhook.test.ts',
  'cli/verify-repair.test.ts',
  'dashboard/record-pages.test.ts',
  'examples/examples.test.ts',
  'cli/test-command.test.ts',
  'cli/gate-table.test.ts',
  'hostile/hostile.test.ts',
  'dashboard/screens.test.ts',
  'exporters/otel/package.test.ts',
  'cli/demo.test.ts',
  'transport/transport.test.ts',
  'clients/generated-clients.test.ts',
  'dashboard/trace.test.ts',
  'server/connections.linux.test.ts',
  'e2e/webhook-crash.test.ts',
  'e2e/judging-crash-waiting.test.ts',
  'e2e/judging-crash.test.ts',
  'e2e/large-requests.test.ts',
  'dashboard/keyboard.test.ts',
  'e2e/listen.test.ts',
  'cli/binary.test.ts',
  'e2e/odd-input.test.ts',
  'cli/remap.test.ts',
  'dashboard/test-screens.test.ts',
  'e2e/webhook-failures.test.ts',
  'e2e/webhook-loop.test.ts',
  'e2e/faults.test.ts',
  'evaluate/evaluate-pool.long.test.ts',
  'api/fuzz.long.test.ts',
  'fuzz/fuzz.test.ts',
  'api/every-list.long.test.ts',
  'storage/truncate-time.long.test.ts',
  'evaluate/quality-metrics.long.test.ts',
  'ingest/remap.long.test.ts',
  'traces/span-index/span-index.long.test.ts',
  'resources/erasure-of-origins.long.test.ts',
  'evaluate/statistics/repeated-tests.long.test.ts',
  'traces/stored-alike.long.test.ts',
  'resources/erasure-of-tests.long.test.ts',
  'traces/rewrite.long.test.ts',
  'evaluate/statistics/sign-flip.long.test.ts',
  'resources/app-changes.long.test.ts',
  'storage/older-store.long.test.ts',
  'resources/run-set-decisions.long.test.ts',
  'resources/search.long.test.ts',
  'dashboard/hostile-texts.test.ts',
  'dashboard/api-reference.test.ts',
  'troubleshooting/troubleshooting.test.ts',
  'examples/fresh-clone.test.ts',
  'dashboard/webhook-screen.test.ts',
  'resources/scrape-jobs-restart.process.test.ts',
  'exporters/otel/loss-line.test.ts',
  'resources/quickstarts-crash.process.test.ts',
  'cli/failures.test.ts',
  'examples/evaluate.test.ts',
  'examples/scorer.test.ts',
  'dashboard/settings.test.ts',
  'e2e/judging.test.ts',
  'e2e/judging-sessions.test.ts',
];

const placeAmongLong = ({ moduleId }: TestSpecification): number => {
  const place = LONG.indexOf(relative(TESTS, moduleId));
  return place === -1 ? LONG.length : place;
};
const sizeOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;

/** Runs one project after the other, because its files share processes; of each first the long files, then the large ones. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name);
    const placeOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    return Promise.resolve(
      files.toSorted(
        (a, b) => placeOf(a) - placeOf(b) || placeAmongLong(a) - placeAmongLong(b) || sizeOf(b) - sizeOf(a),
      ),
    );
  }
}
