import { accounts } from '@app/accounts';
import { AccessTokens, AuthModule, bearerStrategy, Public } from '@app/auth';
import { Returns, type SentError } from '@app/contract';
import { createProgram, defineProgram, readSettings, serviceSettings } from '@app/service';
import { type BootedProgram, bootProgram } from '@app/service/testing';
import { Body, Controller, Get, HttpCode, HttpException, Post, type Type } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import { callDescribed } from '../tools/pack/program/call-described.mts';

/** A program with accounts, and none of the routes of `api`. */
const bare = defineProgram({ name: 'bare', plugins: [accounts()] });

@Exclude()
class OwnErrors {
  @Expose() reasons!: readonly string[];

  static of({ messages }: SentError): OwnErrors {
    return Object.assign(new OwnErrors(), { reasons: messages });
  }
}

const tokens = new AccessTokens({
  secret: 'the secret of these tests, of 32 bytes and more',
  ttlSeconds: 60,
});

class Login {
  @IsString() email!: string;
  @IsString() password!: string;
}

@Exclude()
class Token {
  @Expose() token!: string;
}

@Exclude()
class Name {
  @Expose() name!: string;
}

/** A way to sign in, in a program without accounts. */
@Controller('people')
class PeopleController {
  @Post('login')
  @Public()
  @HttpCode(200)
  @Returns(Token)
  login(@Body() { email: username }: Login): Token {
    return { token: tokens.sign({ sub: 1, username }) };
  }

  @Get('me')
  @Returns(Name)
  read(): Name {
    return { name: 'Ada' };
  }
}

@Controller('teapots')
class TeapotsController {
  @Get()
  @Public()
  @Returns(Name)
  read(): Name {
    throw new HttpException('short and stout', 418);
  }
}

const auth = AuthModule.forRootAsync({
  useFactory: () => ({ strategies: [bearerStrategy({ name: 'jwt', tokens, check: (claims) => claims })] }),
});

/** Calls a program without accounts, which has these routes and those of every program. */
async function callsWith(...controllers: Type[]) {
  const module = { module: class Own {}, imports: [auth], controllers };
  const settings = readSettings(serviceSettings, {});
  const app = await createProgram({ name: 'own', module, settings });
  try {
    await app.listen(0, '127.0.0.1');
    const administrator = { username: 'ada@example.com', password: 'correct horse' };
    return await callDescribed({ url: await app.getUrl(), administrator });
  } finally {
    await app.close();
  }
}

async function callsOf(program: BootedProgram) {
  const { administratorEmail: username, administratorPassword: password } = program;
  const { url } = program();
  return callDescribed({ url, administrator: { username, password } });
}

describe('a program that is packed is called as its document describes', () => {
  describe('without the routes of api', () => {
    const program = bootProgram(bare);
    it('and with accounts', async () => {
      const calls = await callsOf(program);
      expect(calls.called).toBeGreaterThan(10);
      expect(calls.refusedBodies).toBeGreaterThan(3);
      expect(calls.signedIn).toBeGreaterThan(1);
    });
  });

  describe('with a prefix of its paths', () => {
    const program = bootProgram({ ...bare, prefix: '/api' });
    it('that its document names as the server', async () => {
      expect((await callsOf(program)).signedIn).toBeGreaterThan(1);
    });
  });

  describe('with errors of its own', () => {
    const program = bootProgram({ ...bare, errors: { body: OwnErrors, status: { invalid: 422 } } });
    it('and their status', async () => {
      expect((await program().post('/auth/login', { username: 1 })).json).toEqual({
        reasons: expect.any(Array),
      });
      expect((await callsOf(program)).signedIn).toBeGreaterThan(1);
    });
  });

  it('with a way to sign in of its own, and no accounts', async () => {
    expect(await callsWith(PeopleController)).toMatchObject({ signedIn: 1, refusedBodies: 1 });
  });

  it('without any route of its own', async () => {
    expect(await callsWith()).toMatchObject({ signedIn: 0, refusedBodies: 0 });
  });

  it('unless a response differs from it', async () => {
    await expect(callsWith(PeopleController, TeapotsController)).rejects.toThrow(
      'GET /teapots answered 418: the status is not described',
    );
  });
});
