export const HALF_LIFE_MS = 7 * 86_400_000;

export const wholePercent = (share: number): number => Math.round(100 * share);
