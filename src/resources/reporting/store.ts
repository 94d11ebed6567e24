export const reportingCommands = {};
export const reportingQueries = {};
