import { entityTagOf, listsTag, versionTagOf } from './entity-tag';

describe('an entity tag', () => {
  it('is that of the bytes, or of the version', () => {
    expect(entityTagOf('{"id":1}')).toMatch(/^"[\w-]{43}"$/);
    expect(entityTagOf('{"id":1}')).toBe(entityTagOf(Buffer.from('{"id":1}')));
    expect(entityTagOf('{"id":2}')).not.toBe(entityTagOf('{"id":1}'));
    const at = new Date('2026-11-21T09:30:00.001Z');
    const versions = [{ version: 1 }, { version: 2 }, { version: at }].map((row) =>
      versionTagOf(row, 'version'),
    );
    expect(new Set(versions).size).toBe(3);
    expect(() => versionTagOf({}, 'version')).toThrow('version is no version');
  });

  it.each([
    ['"a"', true],
    ['"b", "a"', true],
    ['*', true],
    [' * ', true],
    ['W/"a"', true],
    ['"b",W/"a"', true],
    ['"a-gzip"', true],
    ['W/"a-br", "b"', true],
    ['"a-zstd"', true],
    ['"a--gzip"', true],
    ['"a-other"', false],
    ['"a-gzip-gzip"', false],
    ['"b"', false],
    ['"-gzip"', false],
    ['a', false],
    ['"a', false],
    ['', false],
  ])('is listed in %s, also as proxies that compress change it: %s', (header, isListed) => {
    expect(listsTag(header, '"a"')).toBe(isListed);
  });
});
