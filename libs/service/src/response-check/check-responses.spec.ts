import { accounts } from '@app/accounts';
import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, HttpException, Res } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { bootProgram, gatherLog } from '../../testing';
import { MetricsController } from '../metrics/metrics.controller';
import { defineProgram } from '../program/define-program.bootstrap';

/** A thing with a number. */
@Exclude()
class Thing {
  @Expose() id!: number;
}

const unwritten = 'the secret that is no JSON';

@Controller('things')
@Public()
class ThingsController {
  @Get('described')
  @Returns(Thing)
  described() {
    return { id: 1 };
  }

  @Get('missing')
  @Returns('text')
  missing(): string {
    throw new HttpException('no coffee', 418);
  }

  @Get('text')
  @Returns('anything')
  text(@Res({ passthrough: true }) reply: FastifyReply) {
    void reply.type('application/json').serializer(() => unwritten);
    return {};
  }
}

const program = defineProgram({ name: 'shop', plugins: [accounts()] });
const controllers = [ThingsController, MetricsController];
const message = 'a response does not match the OpenAPI document';

describe.each(['compiled', 'nest'] as const)('RESPONSE_CHECK (routes: %s)', (routes) => {
  const gathered = gatherLog();
  const { logs } = gathered;
  const app = bootProgram({ ...program, controllers, routes, logs, env: { RESPONSE_CHECK: '1' } });
  const reports = () => gathered.lines().filter(({ msg }) => msg === message);

  it('reports a response that differs from the document, sends it unchanged, and quotes no body', async () => {
    expect((await app().get('/things/described')).json).toEqual({ id: 1 });
    expect((await app().get('/things/missing')).status).toBe(418);
    await vi.waitFor(() => expect(reports()).toHaveLength(1));
    expect(reports()).toMatchObject([
      {
        method: 'GET',
        route: '/things/missing',
        status: 418,
        problem: expect.stringContaining('not described'),
      },
    ]);
    expect((await app().get('/things/text')).text).toBe(unwritten);
    await vi.waitFor(() => expect(reports()).toHaveLength(2), { timeout: 5000 });
    expect(reports()[1]).toMatchObject({ route: '/things/text', problem: 'the body is not JSON' });
    expect(JSON.stringify(gathered.lines())).not.toContain(unwritten);
    const { text } = await (await app.administrator()).get('/metrics');
    expect(text).toContain('http_undescribed_responses_total{method="GET",route="/things/missing"} 1');
    expect(text).not.toMatch(/http_undescribed.*described"/);
  });
});

describe('RESPONSE_CHECK=5', () => {
  const gathered = gatherLog();
  const app = bootProgram({ ...program, controllers, logs: gathered.logs, env: { RESPONSE_CHECK: '5' } });

  it('checks a response in five', async () => {
    for (let count = 0; count < 5; count += 1) await app().get('/things/missing');
    await vi.waitFor(() => expect(gathered.lines().filter(({ msg }) => msg === message)).toHaveLength(1));
    expect(gathered.lines().find(({ msg }) => msg === message)).toMatchObject({ count: 1 });
  });
});

describe('RESPONSE_CHECK=off', () => {
  const gathered = gatherLog();
  const app = bootProgram({ ...program, controllers, logs: gathered.logs });

  it('is the default, and adds no hook to a route', async () => {
    for (let count = 0; count < 3; count += 1) await app().get('/things/missing');
    await new Promise((resolve) => setImmediate(resolve));
    expect(gathered.lines().filter(({ msg }) => msg === message)).toEqual([]);
  });
});
