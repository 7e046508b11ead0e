const PLACES = 64;

/**
 * Shares places fairly among addresses with requests that wait for a remote service. An address gets a further place while it holds
 * fewer places than are free. A single address can take half the places, and fewer if it competes. After several addresses in
 * turn have taken all places, a single response frees a place for the next address.
 *
 * @see Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998
 */
export class FairPlaces {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly places = PLACES) {}

  /**
   * Takes a place for an address while it waits.
   *
   * @returns `undefined` at once if the address cannot get a place
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
