export const quickstartCommands = {};
export const quickstartQueries = {};
