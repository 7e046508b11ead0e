import { apiKeyStrategy } from './api-key';

describe('a key in a header', () => {
  const strategy = apiKeyStrategy({ name: 'api-key', check: (key) => ({ key }) });

  function asked(...fields: readonly (readonly [string, string])[]): unknown {
    const headers = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]));
    return strategy.authenticate({ method: 'GET', headers, rawHeaders: fields.flat(), ip: '::1' });
  }

  it('is passed to the check unchanged', () => {
    expect(asked(['X-API-Key', 'a key'])).toEqual({ key: 'a key' });
    expect(asked(['x-api-key', 'a key'], ['Accept', '*/*'])).toEqual({ key: 'a key' });
  });

  it('is rejected when missing or repeated', () => {
    expect(asked()).toBeUndefined();
    expect(asked(['Authorization', 'Bearer a key'])).toBeUndefined();
    expect(asked(['X-API-Key', 'a key'], ['x-api-key', 'a key'])).toBeUndefined();
  });

  it('may be in another header', () => {
    const machineKeys = apiKeyStrategy({ name: 'other', header: 'X-Machine', check: (key) => ({ key }) });
    const headers = { 'x-machine': 'a key' };
    const request = { method: 'GET', headers, rawHeaders: ['X-Machine', 'a key'], ip: '::1' };
    expect(machineKeys.authenticate(request)).toEqual({ key: 'a key' });
  });
});
