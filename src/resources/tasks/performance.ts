/** Performance of a task in the shape that generated clients parse. */
import type { Assessment } from '../../evaluate/assessment.ts';
import type { QualityMetrics } from '../../evaluate/quality-metrics.ts';
import { CONFIDENT_WIDTH, confidenceLevel } from '../../evaluate/statistics/levels.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import { type Interval, testsForWidth, wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { TaskPerformance } from './metrics-contract.ts';

interface Sample {
  tests: number;
  testsPassed: number;
  evaluations: number;
  passed: number;
  /** Mean of the pass rates of the tests, 0 to 1; null without tests. */
  passRate: number | null;
  /** Interval of the pass rate if it is known; else it is computed from the number of tests. */
  interval: Interval | null;
  health: Assessment['health'];
  stability: Assessment['stability'];
}

/** Returns the performance in tests, in monitoring and in both together. */
export function performanceOf(
  metrics: QualityMetrics,
  { interval, health, stability }: Pick<Assessment, 'interval' | 'health' | 'stability'>,
): Record<'synthetic' | 'monitoring' | 'combined', TaskPerformance> {
  const synthetic: Sample = {
    tests: metrics.tests,
    testsPassed: metrics.passedTests,
    evaluations: metrics.evaluations,
    passed: metrics.passedEvaluations,
    passRate: metrics.passRate,
    interval,
    health,
    stability,
  };
  const monitoring: Sample = {
    tests: metrics.monitoredTests,
    testsPassed: metrics.monitoredPassedTests,
    evaluations: metrics.monitoredEvaluations,
    passed: metrics.monitoredPassedEvaluations,
    passRate: metrics.monitoringPassRate,
    interval: null,
    health: null,
    stability: null,
  };
  return {
    synthetic: shown(synthetic),
    monitoring: shown(monitoring),
    combined: shown(monitoring.tests === 0 ? synthetic : together(synthetic, monitoring)),
  };
}

/** Pools two samples. Health and stability are those of the tests, which monitoring has none of. */
function together(a: Sample, b: Sample): Sample {
  const tests = a.tests + b.tests;
  return {
    tests,
    testsPassed: a.testsPassed + b.testsPassed,
    evaluations: a.evaluations + b.evaluations,
    passed: a.passed + b.passed,
    passRate: settled(((a.passRate ?? 0) * a.tests + (b.passRate ?? 0) * b.tests) / tests),
    interval: null,
    health: a.health,
    stability: a.stability,
  };
}

const EVERYTHING: Interval = { low: 0, high: 1 };

function shown({ passRate, interval, health, stability, ...counts }: Sample): TaskPerformance {
  const { tests, evaluations } = counts;
  const known = interval ?? (passRate === null ? EVERYTHING : wilsonInterval(passRate, tests));
  const width = settled(known.high - known.low);
  const missing = Math.max(0, testsForWidth(CONFIDENT_WIDTH, { width, tests }) - tests);
  return {
    ...counts,
    passRate: passRate === null ? null : percent(passRate),
    healthScore: health?.score ?? null,
    confidence: {
      level: confidenceLevel(width),
      halfWidth: percent(settled(width / 2)),
      interval: { lower: percent(settled(known.low)), upper: percent(settled(known.high)) },
    },
    stability: { level: stability?.level ?? 'LOW', stddev: stability?.deviation ?? null },
    recommendedAdditionalEvaluations: Math.ceil(missing * (tests === 0 ? 1 : evaluations / tests)),
  };
}
