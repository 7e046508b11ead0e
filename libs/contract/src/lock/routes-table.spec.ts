import type { RouteDescription } from '../route-description';
import { routeLines, routesTable } from './routes-table';

class Order {}
class PageOfOrder {}

const route: RouteDescription = {
  application: 'shop',
  method: 'GET',
  path: '/orders',
  controller: Order,
  handler: 'list',
  callers: {
    isPublic: false,
    strategies: ['jwt', 'api-key'],
    scopes: { needed: ['orders:read'], strategies: ['api-key'] },
    roles: ['admin', 'clerk'],
    isOwn: true,
  },
  body: undefined,
  query: { type: Order, groups: [] },
  params: undefined,
  response: {
    type: Order,
    shape: 'page',
    body: PageOfOrder,
    groups: ['admin'],
    options: {},
    version: undefined,
  },
  sends: 'class',
  status: 200,
  mediaTypes: ['application/json; charset=utf-8'],
};

describe('the table of routes', () => {
  it('has who may call, what is accepted and what is sent, in one line each', () => {
    const own = {
      isPublic: false,
      strategies: ['jwt'],
      roles: undefined,
      isOwn: true,
      facets: [
        { name: 'isVerified', value: true as const, description: '', summary: 'verified e-mail' },
        { name: 'maxAge', value: 900, description: '', summary: 'signed in within 900 s' },
      ],
    };
    const note = {
      ...route,
      path: '/',
      callers: { ...own, strategies: [], isPublic: true },
      rate: 'off' as const,
      query: undefined,
      response: undefined,
      mediaTypes: ['text/plain', 'text/html'],
    };
    const change = {
      ...route,
      method: 'PATCH',
      callers: own,
      rate: { limit: 10, windowSeconds: 60 },
      body: { type: Order, groups: ['change', 'all'] },
      query: undefined,
      response: undefined,
      mediaTypes: [],
    };
    const optional = { ...note, path: '/home', callers: { ...own, isPublic: true } };
    expect(
      `\n${routesTable(routeLines([note, optional, route, change], ({ path }) => (path === '/' ? 'foreign: @Sse()' : 'compiled')))}\n`,
    ).toBe(`
METHOD  PATH     WHO MAY CALL                                            LIMIT  BODY                 QUERY  RESPONSE                 KIND
GET     /        anyone                                                  off                                text/plain or text/html  foreign: @Sse()
GET     /home    anyone, or jwt                                          off                                text/plain or text/html  compiled
GET     /orders  jwt or api-key, scope orders:read, role admin or clerk                              Order  page of Order (admin)    compiled
PATCH   /orders  jwt, own, verified e-mail, signed in within 900 s       10/1m  Order (change, all)                                  compiled
`);
  });
});
