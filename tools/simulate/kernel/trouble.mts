/** The times of disturbances, which limit the demands on the disturbed part. */
export class Trouble {
  private current = 0;
  private lastEndedAt = -Infinity;

  begin(): void {
    this.current += 1;
  }

  end(now: number): void {
    this.current -= 1;
    this.lastEndedAt = now;
  }

  get isPresent(): boolean {
    return this.current > 0;
  }

  /** Whether nothing has disturbed it since a time. */
  isAbsentSince(time: number): boolean {
    return this.current === 0 && this.lastEndedAt < time;
  }
}
