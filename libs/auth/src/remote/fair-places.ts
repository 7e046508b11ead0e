const PLACES = 64;

/**
 * Places for requests that wait for another service. An address gets another place while it has fewer than are free: half of the places alone,
 * fewer beside others. What several addresses have taken one after the other is free after one response; then a place is left for the next address.
 *
 * @see Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998
 */
export class FairPlaces {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly places = PLACES) {}

  /**
   * Waits at a place of an address.
   *
   * @returns `undefined` at once if there is none for the address
   */
  hold<T>(address: string, wait: () => Promise<T>): Promise<T> | undefined {
    const own = this.taken.get(address) ?? 0;
    if (own >= this.places - this.total) return undefined;
    this.total += 1;
    this.taken.set(address, own + 1);
    return wait().finally(() => this.release(address));
  }

  private release(address: string): void {
    this.total -= 1;
    const left = (this.taken.get(address) ?? 1) - 1;
    if (left === 0) this.taken.delete(address);
    else this.taken.set(address, left);
  }
}
