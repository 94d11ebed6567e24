import type { Variant } from '../../api/generated/schema.ts';

type Config = Variant['config'];

interface ChangedSetting {
  name: string;
  before: string;
  after: string;
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns the settings that differ, each as `step · parameter`. */
export function changedSettings(before: Config, after: Config): ChangedSetting[] {
  const names = new Set(
    [before, after].flatMap((config) =>
      Object.entries(config).flatMap(([step, parameters]) =>
        Object.keys(parameters).map((parameter) => JSON.stringify([step, parameter])),
      ),
    ),
  );
  return [...names].sort().flatMap((key) => {
    const [step, parameter] = JSON.parse(key) as [string, string];
    const [one, other] = [textOf(before[step]?.[parameter]), textOf(after[step]?.[parameter])];
    return one === other ? [] : [{ name: `${step} · ${parameter}`, before: one, after: other }];
  });
}
