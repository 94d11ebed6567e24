type AtEnd = () => void;

const atEnd = new Set<AtEnd>();

/** Calls a function when the process ends, unless the returned function is called before. */
export function whenProcessEnds(report: AtEnd): () => void {
  // One listener for all: Node warns of more than ten.
  if (atEnd.size === 0) process.on('exit', reportAll);
  atEnd.add(report);
  return () => {
    if (atEnd.delete(report) && atEnd.size === 0) process.off('exit', reportAll);
  };
}

function reportAll(): void {
  for (const report of atEnd) report();
}
