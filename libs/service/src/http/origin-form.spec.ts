import { originForm } from './origin-form';

describe('a request target', () => {
  it.each([
    ['/items?limit=1', '/items?limit=1'],
    ['http://evil.example/items?limit=1', '/items?limit=1'],
    ['HTTPS://user@evil.example:1/items', '/items'],
    ['http://evil.example', '/'],
    ['http://evil.example?limit=1', '/?limit=1'],
    ['//evil.example/items', '//evil.example/items'],
    ['*', '*'],
  ])('%s is %s', (target, path) => {
    expect(originForm(target)).toBe(path);
  });
});
