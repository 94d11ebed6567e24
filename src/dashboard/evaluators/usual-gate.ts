/** Gate that is suggested: moderate agreement, shown by 30 people's verdicts. */
export const USUAL_GATE = { minKappa: 0.6, minAnnotations: 30, maxAgeDays: 90, canaries: 20 };
