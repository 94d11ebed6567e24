/** The order of the files of tests: none that takes long is left for the end, where it would run alone. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TESTS = join(import.meta.dirname, '..');

/** Files that take more than about ten seconds. One that is missing here costs some seconds at the end. */
const LONG: ReadonlySet<string> = new Set([
  'api/fuzz.test.ts',
  'api/isolation.test.ts',
  'chaos/chaos.test.ts',
  'cli/binary.test.ts',
  'cli/demo.test.ts',
  'cli/remap.test.ts',
  'cli/serve.test.ts',
  'cli/test-command.test.ts',
  'clients/generated-clients.test.ts',
  'conformance/run.test.ts',
  'dashboard/keyboard.test.ts',
  'dashboard/screens.test.ts',
  'dashboard/test-screens.test.ts',
  'dashboard/trace.test.ts',
  'e2e/crash.test.ts',
  'e2e/crash-changes.test.ts',
  'e2e/instrumentations.test.ts',
  'e2e/judging-crash.test.ts',
  'e2e/judging-crash-waiting.test.ts',
  'e2e/large-requests.test.ts',
  'e2e/listen.test.ts',
  'e2e/long-trace.test.ts',
  'e2e/odd-input.test.ts',
  'e2e/webhook-crash.test.ts',
  'e2e/webhook-failures.test.ts',
  'e2e/webhook-loop.test.ts',
  'evaluate/evaluation.test.ts',
  'examples/evaluate.test.ts',
  'examples/examples.test.ts',
  'examples/webhook.test.ts',
  'exporters/otel/lines.test.ts',
  'exporters/otel/package.test.ts',
  'hostile/hostile.test.ts',
  'resources/experiments-run.test.ts',
  'resources/quickstarts-crash.test.ts',
  'resources/scrape-jobs.test.ts',
  'resources/scrape-jobs-restart.test.ts',
  'resources/scrape-sites.test.ts',
  'server/connections.test.ts',
  'transport/transport.test.ts',
]);

const isLong = ({ moduleId }: TestSpecification): number => Number(LONG.has(relative(TESTS, moduleId)));
const sizeOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;

/** Runs one project after the other, because its files share processes; of each first the long files, then the large ones. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name);
    const placeOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    return Promise.resolve(
      files.toSorted((a, b) => placeOf(a) - placeOf(b) || isLong(b) - isLong(a) || sizeOf(b) - sizeOf(a)),
    );
  }
}
