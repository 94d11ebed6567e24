export const inferenceStepCommands = {};
export const inferenceStepQueries = {};
