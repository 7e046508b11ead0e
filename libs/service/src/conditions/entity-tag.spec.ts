import { entityTagOf, listsStrongTag, listsTag, versionTagOf } from './entity-tag';

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
    ['"a"', true, true],
    ['"b", "a"', true, true],
    ['W/"a"', true, false],
    ['"b",W/"a" , "a"', true, true],
    ['*', true, true],
    [' * ', true, true],
    ['"b"', false, false],
    ['a', false, false],
    ['"a', false, false],
    ['', false, false],
  ])('is listed in %s: weakly %s, strongly %s', (header, weakly, strongly) => {
    expect([listsTag(header, '"a"'), listsStrongTag(header, '"a"')]).toEqual([weakly, strongly]);
  });
});
