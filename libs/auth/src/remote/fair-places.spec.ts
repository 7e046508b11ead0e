import { FairPlaces } from './fair-places';

describe('the places to wait for another service', () => {
  const never = () => new Promise<never>(() => {});
  const count = (places: FairPlaces, address: string, wait: () => Promise<unknown> = never) => {
    let taken = 0;
    while (places.hold(address, wait) !== undefined) taken += 1;
    return taken;
  };

  it('are half for one address, and fewer beside others', () => {
    const places = new FairPlaces(16);
    expect(['a', 'b', 'c', 'd', 'e'].map((address) => count(places, address))).toEqual([8, 4, 2, 1, 1]);
    expect(places.hold('f', never)).toBeUndefined();
  });

  it('are free again after a response or a failure', async () => {
    const places = new FairPlaces(2);
    expect(await places.hold('a', async () => 'a response')).toBe('a response');
    await expect(places.hold('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect([count(places, 'a'), count(places, 'b')]).toEqual([1, 1]);
  });
});
