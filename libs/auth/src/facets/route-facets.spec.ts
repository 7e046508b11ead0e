import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { facet } from './facet';
import { registerFacets, requirementsOf, routeFacets } from './route-facets';
import { UnverifiedEmailError } from './verified.facet';

describe('the facets of routes', () => {
  it('are all files of this folder: one that is not listed would not be enforced', async () => {
    const files = readdirSync(__dirname).filter((name) => name.endsWith('.facet.ts'));
    const facets: unknown[] = [];
    for (const file of files) {
      const exported: Record<string, unknown> = await import(join(__dirname, file));
      facets.push(...Object.values(exported).filter((value) => isFacet(value)));
    }
    expect(facets).toHaveLength(files.length);
    expect(new Set(facets)).toEqual(new Set(routeFacets()));
  });

  it('have decorators and errors of their own', () => {
    for (const member of ['decorator', 'error'] as const)
      expect(new Set(routeFacets().map((declared) => declared[member])).size).toBe(routeFacets().length);
  });

  it('are refused on a route if no plugin declares them, and checked if one does', () => {
    const member = facet<true>({
      name: 'needsMember',
      decorator: '@Member()',
      error: UnverifiedEmailError,
      isMet: () => false,
      description: () => 'members only',
      summary: () => 'member',
    });
    class Cards {
      @member.set(true) read() {}
    }
    const read: Function = Object.getOwnPropertyDescriptor(Cards.prototype, 'read')?.value;
    expect(() => requirementsOf(read, Cards)).toThrow(
      'Cards.read has @Member(), which no plugin of the program declares: add its facet to `facets` of a plugin.',
    );
    registerFacets([member]);
    expect(requirementsOf(read, Cards).map(({ name }) => name)).toEqual(['needsMember']);
  });
});

function isFacet(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isOn' in value;
}
