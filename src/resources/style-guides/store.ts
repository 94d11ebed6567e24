export const styleGuideCommands = {};
export const styleGuideQueries = {};
