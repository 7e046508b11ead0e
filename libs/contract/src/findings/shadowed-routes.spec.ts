import type { RouteDescription } from '../route-description';
import { shadowedRoutes } from './shadowed-routes';

class ThingsController {}

function route(method: string, path: string): RouteDescription {
  return {
    application: 'api',
    method,
    path,
    controller: ThingsController,
    handler: 'read',
    callers: { isPublic: false, strategies: [], roles: undefined, isOwn: false },
    body: undefined,
    query: undefined,
    params: undefined,
    response: undefined,
    sends: 'nothing',
    status: 200,
    mediaTypes: [],
  };
}

describe('two routes', () => {
  it.each([
    ['GET /things', 'GET /things'],
    ['GET /things/:id', 'GET /things/:name'],
    ['ALL /things', 'GET /things'],
    ['GET /things', 'ALL /things'],
    ['GET /files/*path', 'GET /files/*'],
  ])('%s and %s response the same requests', (...both) => {
    const [by, shadowed] = both.map((text) => route(...(text.split(' ') as [string, string])));
    expect(shadowedRoutes([by, shadowed])).toEqual([{ route: shadowed, by }]);
  });

  it.each([
    ['GET /things', 'POST /things'],
    ['GET /things/me', 'GET /things/:id'],
    ['GET /things/:id', 'GET /things/:id/parts'],
  ])('%s and %s do not', (...both) => {
    expect(shadowedRoutes(both.map((text) => route(...(text.split(' ') as [string, string]))))).toEqual([]);
  });

  it('conflict by the versions that they have in common', () => {
    const versioned = (...versions: string[]) => ({ ...route('GET', '/things'), versions });
    const [first, second, both] = [versioned('1'), versioned('2'), versioned('2', '3')];
    expect(shadowedRoutes([first, second, route('GET', '/things')])).toEqual([]);
    const neutral = versioned('1', 'neutral');
    expect(shadowedRoutes([neutral, second, route('GET', '/things')])).toHaveLength(1);
    expect(shadowedRoutes([first, second, both])).toEqual([{ route: both, by: second }]);
  });
});
