import { Public } from '@app/auth';
import { compareExposures, exposureOf, Returns } from '@app/contract';
import { Page, paginate, PaginationQuery } from '@app/paging';
import { Deprecated, describeApi, describeKinds, describeRoutes, MetricsController } from '@app/service';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { bootApi } from '../testing/boot-api';

@Exclude()
class Thing {
  @Expose() id!: number;
}

const since = '2026-11-01';
const see = 'https://shop.example/docs';

@Controller('old-things')
@Deprecated({ since })
class OldThingsController {
  @Get('text')
  @Public()
  @Returns('text')
  read(): string {
    return 'old';
  }

  @Get()
  @Deprecated({ since, sunset: '2027-05-01', see })
  @Returns(Page(Thing))
  list(@Query() query: PaginationQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, async () => [{ id: 1 }]);
  }
}

@Controller('things')
class ThingsController {
  @Get()
  @Public()
  @Returns('text')
  read(): string {
    return 'new';
  }
}

describe.each(['compiled', 'nest'] as const)('deprecated routes of %s', (routes) => {
  const api = bootApi({ routes, controllers: [OldThingsController, ThingsController, MetricsController] });

  it('send when they were deprecated, when they end, and what to read, also with an error', async () => {
    const user = await api.newcomer();
    const { status, headers } = await user.get('/old-things');
    expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([
      200,
      '@1793491200',
      'Sat, 01 May 2027 00:00:00 GMT',
    ]);
    expect(headers.get('link')).toMatch(
      /^<\/old-things[^,]*>; rel="first", <https:\/\/shop\.example\/docs>; rel="deprecation"; type="text\/html"$/,
    );
    const refused = await api().get('/old-things');
    expect([refused.status, refused.headers.get('deprecation')]).toEqual([401, '@1793491200']);
    const text = await api().get('/old-things/text');
    expect([text.headers.get('deprecation'), text.headers.get('sunset')]).toEqual(['@1793491200', null]);
    expect((await api().get('/things')).headers.has('deprecation')).toBe(false);
  });

  it('are in the document and in the lock', () => {
    const { get } = describeApi(api.app()).paths['/old-things'] ?? {};
    expect(get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(
        `Deprecated since ${since}, and stops to work on 2027-05-01. See ${see}.`,
      ),
    });
    const exposure = exposureOf(describeRoutes(api.app()));
    expect(exposure['GET /old-things']).toMatchObject({ deprecated: since, sunset: '2027-05-01' });
    expect(exposure['GET /things']).not.toHaveProperty('deprecated');
    const { sunset: _sunset, ...longer } = { ...exposure['GET /old-things'] };
    const before = { ...exposure, 'GET /old-things': longer as (typeof exposure)[string] };
    expect(compareExposures(before, exposure).narrower).toEqual([
      `GET /old-things is deprecated since ${since}, until 2027-05-01; it was deprecated since ${since}, until removed`,
    ]);
  });

  it('count their requests by caller', async () => {
    const operator = await api.administrator();
    const { userId } = (await operator.get('/auth/profile')).json;
    await operator.get('/old-things');
    await api().get('/old-things/text');
    const { text } = await operator.get('/metrics');
    expect(text).toContain(
      `http_deprecated_requests_total{method="GET",route="/old-things",caller="account:${userId}"} 1`,
    );
    expect(text).toMatch(
      /http_deprecated_requests_total\{method="GET",route="\/old-things\/text",caller="anonymous"\} \d/,
    );
  });

  it('run like their neighbours', () => {
    const kindOf = describeKinds(api.app());
    const kinds = describeRoutes(api.app())
      .filter(({ path }) => path.endsWith('things'))
      .map(kindOf);
    expect(kinds).toHaveLength(2);
    expect(new Set(kinds).size).toBe(1);
  });
});

describe('@Deprecated()', () => {
  it.each([
    [{ since: '2026-02-30' }, 'must be a day'],
    [{ since: 'November' }, 'must be a day'],
    [{ since, sunset: '2026-10-31' }, 'must not be before'],
    [{ since, see: '/docs' }, 'must be an absolute URL'],
  ])('refuses %j', (deprecation, message) => {
    expect(() => Deprecated(deprecation)).toThrow(message);
  });
});
