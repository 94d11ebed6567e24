/** Serialises work that shares a name, in the order of the calls. */
export class NamedLocks {
  /** Last call for each name. */
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier calls that share one of the names, even if they failed. */
  async run<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const earlier = new Set(names.flatMap((name) => this.last.get(name) ?? []));
    const running = Promise.allSettled(earlier).then(work);
    for (const name of names) this.last.set(name, running);
    try {
      return await running;
    } finally {
      for (const name of names) if (this.last.get(name) === running) this.last.delete(name);
    }
  }
}
