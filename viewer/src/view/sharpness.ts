// Pixels of the picture: all of them while it stands still; fewer while it moves on a machine that cannot keep up.

const slow = 40; // between pictures [ms]
const fast = 22;
const coarsest = 0.5;

export class Sharpness {
  private share = 1; // of the full resolution
  private last = 0;
  private mean = 0; // time between pictures lately [ms]

  /// Pixels for each of the page's, for a picture drawn now.
  ratio(moving: boolean, now: number): number {
    const full = Math.min(devicePixelRatio, 2);
    const passed = now - this.last;
    this.last = now;
    if (!moving) {
      this.mean = 0;
      return full;
    }
    if (passed > 500) return full * this.share; // it has just begun to move
    this.mean = this.mean === 0 ? (slow + fast) / 2 : 0.9 * this.mean + 0.1 * passed;
    if (this.mean > slow && this.share > coarsest) this.change(0.8);
    else if (this.mean < fast && this.share < 1) this.change(1.1);
    return full * this.share;
  }

  private change(factor: number): void {
    this.share = Math.min(1, Math.max(coarsest, this.share * factor));
    this.mean = (slow + fast) / 2; // look anew
  }
}
