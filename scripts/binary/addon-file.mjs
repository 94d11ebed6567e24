/** Returns the path of SQLite's addon for this platform, relative to the repository. */
export function addonFile() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `node_modules/better-sqlite3/prebuilds/${process.platform}${isMusl ? 'musl' : ''}-${process.arch}.node`;
}
