import { deviceName } from './client';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a device', () => {
  it.each([
    [`${windows} Chrome/120.0.0.0 Safari/537.36 Edg/120.0`, 'Microsoft Edge on Windows'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:120.0) Gecko/20100101 Firefox/120.0',
      'Firefox on macOS',
    ],
    ['MyApp/1.2 (iPhone; iOS 17.1; Scale/3.00)', 'MyApp on iOS'],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
  ])('is of the program and its system: %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });

  it('stays the same after an update', () => {
    const names = [110, 120].map((version) => deviceName(`${windows} Chrome/${version}.0.0.0 Safari/537.36`));
    expect(new Set(names)).toEqual(new Set(['Chrome on Windows']));
  });

  it.each([undefined, '', '42', '()'])('is unknown for %j', (userAgent) => {
    expect(deviceName(userAgent)).toBeUndefined();
  });

  it('is one word of what a client says about itself', () => {
    expect(deviceName('Call 555-0100 now/1.0 (http://evil.example)')).toBe('Call');
    expect(deviceName('a'.repeat(10_000))).toHaveLength(30);
  });
});
