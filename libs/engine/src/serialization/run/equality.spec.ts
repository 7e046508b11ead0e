import 'reflect-metadata';
import { compareTree } from '../../../testing/serialization/equality/compare';

describe('a compiled serializer', () => {
  it('writes the same as class-transformer and JSON.stringify, for generated classes, options and values', () => {
    const compared = Array.from({ length: 20 }, (_, seed) => compareTree(seed, 60));
    expect(compared.flatMap(({ differences }) => differences).slice(0, 1)).toEqual([]);
    expect(compared.some(({ direct }) => direct > 0)).toBe(true);
  });
});
