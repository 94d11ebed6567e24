export const annotationQueueCommands = {};
export const annotationQueueQueries = {};
