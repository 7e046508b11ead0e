import 'reflect-metadata';
import { compareTree } from '../testing/equality/compare';

describe('a compiled serializer', () => {
  it('writes what class-transformer and JSON.stringify write, for classes, options and values made by chance', () => {
    const compared = Array.from({ length: 20 }, (_, seed) => compareTree(seed, 60));
    expect(compared.flatMap(({ differences }) => differences).slice(0, 1)).toEqual([]);
    expect(compared.some(({ direct }) => direct > 0)).toBe(true);
  });
});
