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
    mediaType: undefined,
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
    const [by, other] = both.map((text) => route(...(text.split(' ') as [string, string])));
    expect(shadowedRoutes([by, other])).toEqual([{ route: other, by }]);
  });

  it.each([
    ['GET /things', 'POST /things'],
    ['GET /things/me', 'GET /things/:id'],
    ['GET /things/:id', 'GET /things/:id/parts'],
  ])('%s and %s do not', (...both) => {
    expect(shadowedRoutes(both.map((text) => route(...(text.split(' ') as [string, string]))))).toEqual([]);
  });
});
