import { compareExposures } from './compare-exposures';
import { exposureOf, type RouteExposure } from './exposure';

const exposure = (members?: readonly string[]): Record<string, RouteExposure> => ({
  'PATCH /clubs/:id': {
    audience: 'user',
    strategies: ['jwt'],
    roles: [],
    accepts: {},
    sends: [],
    ...(members && { members }),
  },
});

describe('a facet with a list of which an entry suffices', () => {
  it('is wider with a further entry, and narrower without an entry', () => {
    expect(compareExposures(exposure(['owner']), exposure(['admin', 'owner']))).toEqual({
      wider: ['PATCH /clubs/:id members: now also `admin`'],
      narrower: [],
    });
    expect(compareExposures(exposure(['admin', 'owner']), exposure(['owner']))).toEqual({
      wider: [],
      narrower: ['PATCH /clubs/:id members: no longer `admin`'],
    });
    expect(compareExposures(exposure(['owner']), exposure(['owner']))).toEqual({ wider: [], narrower: [] });
  });

  it('is wider when the route loses it', () => {
    expect(compareExposures(exposure(['owner']), exposure())).toEqual({
      wider: ['PATCH /clubs/:id has no members; it had members owner'],
      narrower: [],
    });
    expect(compareExposures(exposure(), exposure(['owner'])).narrower).toEqual([
      'PATCH /clubs/:id has members owner; it had no members',
    ]);
  });
});

describe('statements on the rows of all tenants', () => {
  it('are locked by their reason', () => {
    const [none, some] = [exposureOf([]), exposureOf([], undefined, ['counts rows', 'deletes old rows'])];

    expect(none).toEqual({});
    expect(compareExposures(none, some)).toEqual({
      wider: [
        'acrossTenants reasons: now also `counts rows`',
        'acrossTenants reasons: now also `deletes old rows`',
      ],
      narrower: [],
    });
    expect(compareExposures(some, none).narrower).toHaveLength(2);
    expect(compareExposures(some, some)).toEqual({ wider: [], narrower: [] });
  });
});
