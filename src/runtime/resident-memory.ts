/** Returns the resident memory of the process in bytes; its peak when no file descriptor is free to read it with. */
export function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
