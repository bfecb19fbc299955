// Those who want to be told of a change.

export class Watchers<A extends unknown[] = []> {
  private readonly all = new Set<(...what: A) => void>();

  /// Returns what ends it.
  add(watcher: (...what: A) => void): () => void {
    this.all.add(watcher);
    return () => this.all.delete(watcher);
  }
  tell(...what: A): void {
    for (const watcher of this.all) watcher(...what);
  }
}
