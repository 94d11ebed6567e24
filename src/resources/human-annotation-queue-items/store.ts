export const annotationQueueItemCommands = {};
export const annotationQueueItemQueries = {};
