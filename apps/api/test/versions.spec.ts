import { Public } from '@app/auth';
import { Returns } from '@app/serialization';
import { describeApi } from '@app/service';
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
