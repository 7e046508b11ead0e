import { isGranted } from './scopes';

describe('a scope', () => {
  it.each([
    [['read'], 'read'],
    [['read'], 'items:read'],
    [['items:read'], 'items:read'],
    [['write', 'items:read'], 'orders:write'],
    [['reports'], 'reports'],
  ])('is granted by %j: %s', (granted, needed) => {
    expect(isGranted(granted, needed)).toBe(true);
  });

  it.each([
    [[], 'read'],
    [['write'], 'read'],
    [['read'], 'write'],
    [['read'], 'items:write'],
    [['items:read'], 'read'],
    [['items:read'], 'orders:read'],
    [['items'], 'items:read'],
    [['items:'], 'items:read'],
  ])('is not granted by %j: %s', (granted, needed) => {
    expect(isGranted(granted, needed)).toBe(false);
  });
});
