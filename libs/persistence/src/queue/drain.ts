/** Works off a queue, several rows at once, in the order in which they are claimed. */
export class Drain<Work> {
  private isStopping = false;
  private claiming: Promise<unknown> = Promise.resolve();

  /**
   * @param claim claims the next row; its calls do not overlap
   * @param handle returns whether to go on with further rows
   * @param atOnce the number of rows that are handled at once
   */
  constructor(
    private readonly claim: () => Promise<Work | undefined>,
    private readonly handle: (work: Work) => Promise<boolean>,
    private readonly atOnce: number,
  ) {}

  /** Handles all due rows. It ends early when `handle` returns `false`. @throws the first error of `claim` and `handle` */
  async run(): Promise<void> {
    const run = { goesOn: true };
    const handling = Array.from({ length: this.atOnce }, () => this.handleInTurn(run));
    const failed = (await Promise.allSettled(handling)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Makes {@link run} end after the rows in progress. */
  stop(): void {
    this.isStopping = true;
  }

  private async handleInTurn(run: { goesOn: boolean }): Promise<void> {
    while (run.goesOn && !this.isStopping) {
      const work = await this.claimInTurn();
      if (work === undefined) return;
      if (!(await this.handle(work))) run.goesOn = false;
    }
  }

  private claimInTurn(): Promise<Work | undefined> {
    const claimed = this.claiming.then(() => this.claim());
    this.claiming = claimed.catch(() => undefined);
    return claimed;
  }
}
