import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { routeFacets } from './route-facets';

describe('the facets of routes', () => {
  it('are all files of this folder: one that is not listed would not be enforced', async () => {
    const files = readdirSync(__dirname).filter((name) => name.endsWith('.facet.ts'));
    const found: unknown[] = [];
    for (const file of files) {
      const exported: Record<string, unknown> = await import(join(__dirname, file));
      found.push(...Object.values(exported).filter((value) => isFacet(value)));
    }
    expect(found).toHaveLength(files.length);
    expect(new Set(found)).toEqual(new Set(routeFacets));
  });

  it('have decorators and errors of their own', () => {
    for (const member of ['decorator', 'error'] as const)
      expect(new Set(routeFacets.map((facet) => facet[member])).size).toBe(routeFacets.length);
  });
});

function isFacet(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isOn' in value;
}
