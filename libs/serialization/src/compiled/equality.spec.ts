import 'reflect-metadata';
import { compareTree } from '../../testing/equality/compare';

describe('a compiled serializer', () => {
  it('writes what class-transformer and JSON.stringify write, for classes, options and values made by chance', () => {
    const differences = [];
    for (let seed = 1; seed <= 20 && differences.length === 0; seed++) differences.push(...compareTree(seed));
    expect(differences.slice(0, 1)).toEqual([]);
  });
});
