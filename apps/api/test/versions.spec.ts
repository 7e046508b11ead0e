import { Public } from '@app/auth';
import { exposureOf, Returns } from '@app/contract';
import { describeApi, describeRoutes } from '@app/service';
import { Controller, Get, Version, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { bootApi } from '../testing/boot-api';

@Controller({ path: 'greetings', version: ['1', VERSION_NEUTRAL] })
@Public()
class GreetingsController {
  @Get()
  @Returns('text')
  first(): string {
    return 'first';
  }

  @Get()
  @Version('2')
  @Returns('text')
  second(): string {
    return 'second';
  }
}

describe.each(['compiled', 'nest'] as const)('versions in paths, with routes of %s', (routes) => {
  const api = bootApi({
    routes,
    controllers: [GreetingsController],
    configure: (app) => void app.enableVersioning({ type: VersioningType.URI }),
  });

  it('choose the handler', async () => {
    const bodies = ['/greetings', '/v1/greetings', '/v2/greetings'].map((path) => api().get(path));
    expect((await Promise.all(bodies)).map(({ status, text }) => [status, text])).toEqual([
      [200, 'first'],
      [200, 'first'],
      [200, 'second'],
    ]);
    expect((await api().get('/v3/greetings')).status).toBe(404);
  });

  it('leave routes without a version where they are', async () => {
    expect((await (await api.newcomer()).get('/users/me')).status).toBe(200);
  });

  it('are in the description', () => {
    const { paths } = describeApi(api.app());
    const described = Object.keys(paths).filter((path) => path.includes('greetings'));
    expect(described).toEqual(['/greetings', '/v1/greetings', '/v2/greetings']);
  });
});

describe.each([
  [
    'a header',
    { type: VersioningType.HEADER, header: 'x-version' },
    (version: string) => ({ 'x-version': version }),
  ],
  [
    'a media type',
    { type: VersioningType.MEDIA_TYPE, key: 'v=' },
    (version: string) => ({ accept: `application/json;v=${version}` }),
  ],
  [
    'a function',
    { type: VersioningType.CUSTOM, extractor: (request: unknown) => Object(request).headers['x-mine'] ?? [] },
    (version: string) => ({ 'x-mine': version }),
  ],
] as const)('versions in %s', (_name, versioning, headersOf) => {
  const api = bootApi({
    controllers: [GreetingsController],
    configure: (app) => void app.enableVersioning(versioning),
  });

  it('choose the handler', async () => {
    const bodies = ['1', '2'].map((version) => api().with(headersOf(version)).get('/greetings'));
    expect((await Promise.all(bodies)).map(({ text }) => text)).toEqual(['first', 'second']);
  });

  it('are in the lock, each with its callers', () => {
    const names = Object.keys(exposureOf(describeRoutes(api.app()))).filter((name) =>
      name.includes('greetings'),
    );
    expect(names).toEqual(['GET /greetings (version 1, neutral)', 'GET /greetings (version 2)']);
  });
});
