export const experimentCommands = {};
export const experimentQueries = {};
