import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Bucket bounds for the duration of model requests. */
const LONG_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Some of the bucket bounds that OpenTelemetry's conventions for HTTP advise: each is a line for every route and status. */
const HTTP_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];
const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Returns functions that create the metrics of one registry. */
export function metricFactory(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <L extends string>(name: string, help: string, ...labelNames: L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, registers, buckets: SECONDS }),
    httpHistogram: <L extends string>(name: string, help: string, ...labelNames: L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, registers, buckets: HTTP_SECONDS }),
    longHistogram: <L extends string>(name: string, help: string, ...labelNames: L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, registers, buckets: LONG_SECONDS }),
  };
}

/** A counter whose label has only these values. */
export type CounterOf<L extends string, V extends string> = Omit<Counter<L>, 'inc'> & {
  inc: (labels: Record<L, V>, value?: number) => void;
};

/** Sets a counter to 0 for values of its label, so that the first event is an increase that alerts can see. */
export function fromZero<L extends string, V extends string>(
  counter: Counter<L>,
  label: L,
  values: readonly V[],
): CounterOf<L, V> {
  for (const value of values) counter.inc(Object.fromEntries([[label, value]]) as Record<L, V>, 0);
  return counter;
}

export type MetricFactory = ReturnType<typeof metricFactory>;
