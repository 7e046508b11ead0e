import { Controller, Get } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startGuarded } from '../../testing/guarded-app';
import type { Strategy } from '../strategies/strategy';
import { replyWith } from '../auth-options';
import { Caller, Roles, UseStrategy } from '../routes/route.decorator';

class ClosedError extends Error {}

const asked: string[] = [];

/** Finds the caller in the header of its name, synchronously or not; throws if the value is `throw`. */
function strategyOf(name: string, isLate: boolean): Strategy {
  const find = (value: string | string[] | undefined) => {
    if (value === 'throw') throw new ClosedError();
    return value === undefined ? undefined : { by: name, role: value };
  };
  return {
    name,
    authenticate: ({ headers }) => {
      asked.push(name);
      return isLate ? Promise.resolve(headers[name]).then(find) : find(headers[name]);
    },
  };
}

@Controller()
class BothController {
  @Get('both')
  @UseStrategy('first', 'second')
  both(@Caller() caller: unknown): unknown {
    return caller;
  }

  @Get('turned')
  @UseStrategy('second', 'first')
  turned(@Caller() caller: unknown): unknown {
    return caller;
  }

  @Get('second')
  @UseStrategy('second')
  second(@Caller() caller: unknown): unknown {
    return caller;
  }

  @Get('admin')
  @Roles('admin')
  @UseStrategy('first', 'second')
  admin(@Caller() caller: unknown): unknown {
    return caller;
  }
}

describe.each([
  ['are synchronous', false, false],
  ['are asynchronous', true, true],
  ['are asynchronous and synchronous', true, false],
  ['are synchronous and asynchronous', false, true],
])('a route with two strategies that %s', (_, isFirstLate, isSecondLate) => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const strategies = [strategyOf('first', isFirstLate), strategyOf('second', isSecondLate)];
    app = await startGuarded(
      { strategies, checkErrors: [replyWith(ClosedError, { status: 403, message: 'Closed' })] },
      BothController,
    );
  });
  afterAll(() => app.close());

  async function ask(url: string, headers: Record<string, string> = {}) {
    const reply = await app.inject({ url, headers });
    return [reply.statusCode, reply.json().by];
  }

  it('accepts a caller that either finds', async () => {
    expect(await ask('/both', { first: 'user' })).toEqual([200, 'first']);
    expect(await ask('/both', { second: 'user' })).toEqual([200, 'second']);
  });

  it('tries them in the order of the route', async () => {
    const both = { first: 'user', second: 'user' };
    expect(await ask('/both', both)).toEqual([200, 'first']);
    expect(await ask('/turned', both)).toEqual([200, 'second']);
  });

  it('tries each once, and none after the one that found the caller', async () => {
    for (const [headers, expected] of [
      [{}, ['first', 'second']],
      [{ second: 'user' }, ['first', 'second']],
      [{ first: 'user', second: 'user' }, ['first']],
    ] as const) {
      asked.length = 0;
      await ask('/both', headers);
      expect(asked).toEqual(expected);
    }
  });

  it('rejects a request without a caller, and one of a strategy it does not name', async () => {
    expect(await ask('/both')).toEqual([401, undefined]);
    expect(await ask('/second', { first: 'user' })).toEqual([401, undefined]);
  });

  it('fails with the error that one of them throws', async () => {
    expect(await ask('/both', { first: 'throw', second: 'user' })).toEqual([403, undefined]);
    expect(await ask('/both', { second: 'throw' })).toEqual([403, undefined]);
    expect(await ask('/both', { first: 'user', second: 'throw' })).toEqual([200, 'first']);
  });

  it('checks the role of the caller that was found', async () => {
    expect(await ask('/admin', { second: 'admin' })).toEqual([200, 'second']);
    expect(await ask('/admin', { first: 'user', second: 'admin' })).toEqual([403, undefined]);
  });
});
