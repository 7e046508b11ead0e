import { AccessTokens, AuthModule, bearerStrategy, Public, replyWith } from '@app/auth';
import { ErrorFilter, silentLogs } from '@app/service';
import { Client } from '@app/service/testing';
import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { bootApi } from '../../testing/boot-api';
import { section } from './section';

const unauthorized = '{"statusCode":401,"message":"Unauthorized"}';
const partnerSecret = 'a partner has a secret of its own, and it is long';

class InactiveError extends Error {}

@Controller()
@Public()
class OpenController {
  @Get('open') open(): string {
    return 'open';
  }
  @Get('closed') @Public(false) closed(): string {
    return 'closed';
  }
}

/** Strategies whose check decides the status. */
async function bootStrategies(): Promise<{
  app: NestFastifyApplication;
  client: Client;
  tokens: AccessTokens;
}> {
  const tokens = new AccessTokens({ secret: partnerSecret, ttlSeconds: 60 });
  const check = ({ username }: { username: string }) => {
    if (username === 'inactive') throw new InactiveError();
    if (username === 'broken') throw new TypeError('the check itself is broken');
    return username === 'nobody' ? null : { username };
  };
  const guard = AuthModule.forRootAsync({
    useFactory: () => ({
      strategies: [bearerStrategy({ name: 'partner', tokens, check })],
      checkErrors: [replyWith(InactiveError, { status: 403, message: 'inactive' })],
      onCheckError: () => undefined,
    }),
  });
  class Root {}
  const module = { module: Root, imports: [guard], controllers: [OpenController] };
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
  });
  app.useGlobalFilters(new ErrorFilter({ ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' }, silentLogs().log));
  await app.listen(0, '127.0.0.1');
  return { app, client: new Client(await app.getUrl()), tokens };
}

section(5, (states) => {
  const api = bootApi();
  let partner: Awaited<ReturnType<typeof bootStrategies>>;
  beforeAll(async () => {
    partner = await bootStrategies();
  });
  afterAll(() => partner.app.close());

  const asPartner = (username: string) => partner.client.as(partner.tokens.sign({ sub: 1, username }));

  states('§5.1', async () => {
    const token = await accessToken();
    const [header] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'HS256' });
    expect(
      (
        await api()
          .with({ authorization: `Bearer ${token}` })
          .get('/auth/profile')
      ).status,
    ).toBe(200);
    expect((await api().with({ authorization: token }).get('/auth/profile')).status).toBe(401);
    expect((await api().get(`/auth/profile?access_token=${token}`)).status).toBe(401);
  });
  states('§5.2', async () => {
    const foreign = new AccessTokens({
      secret: 'another secret, long enough to sign with it',
      ttlSeconds: 60,
    });
    const token = foreign.sign({ sub: 1, username: api.administratorEmail });
    expect((await api().as(token).get('/auth/profile')).status).toBe(401);
  });
  states('§5.3', async () => {
    const token = await api.tokenOf({ issuedSecondsAgo: 60 });
    expect((await api().as(token).get('/auth/profile')).status).toBe(401);
    const fresh = await api.tokenOf({ issuedSecondsAgo: 50 });
    expect((await api().as(fresh).get('/auth/profile')).status).toBe(200);
  });
  states('§5.4', async () => {
    const login = (username: string, password: string) => api().post('/auth/login', { username, password });
    expect((await login(api.administratorEmail, api.administratorPassword)).status).toBe(200);
    expect((await login(api.administratorEmail, 'wrong password')).text).toBe(unauthorized);
    expect((await login('nobody@example.com', 'wrong password')).text).toBe(unauthorized);
  });
  states('§5.5', async () => {
    const { json } = await (await api.administrator()).get('/auth/profile');
    expect(json).toEqual({ userId: expect.any(Number), username: api.administratorEmail });
  });
  states('§5.6', async () => {
    const statusOf = async (username: string) => (await asPartner(username).get('/closed')).status;
    expect(await statusOf('somebody')).toBe(200);
    expect(await statusOf('nobody')).toBe(401);
    expect(await statusOf('broken')).toBe(401);
    expect(await statusOf('inactive')).toBe(403);
  });
  states('§5.7', async () => {
    expect((await partner.client.get('/open')).status).toBe(200);
    expect((await partner.client.get('/closed')).status).toBe(401);
    expect((await api().get('/items')).status).toBe(401);
    expect((await api().post('/auth/login', {})).status).toBe(400);
  });
  states('§5.8', async () => {
    const { jti, exp, iat } = JSON.parse(
      Buffer.from((await accessToken()).split('.')[1], 'base64url').toString(),
    );
    expect(jti).toEqual(expect.any(String));
    expect(exp - iat).toBe(60);
  });
  states('§5.9', async () => {
    expect((await asPartner('somebody').get('/closed')).status).toBe(200);
    const ours = await accessToken();
    expect((await partner.client.as(ours).get('/closed')).status).toBe(401);
    const theirs = partner.tokens.sign({ sub: 1, username: api.administratorEmail });
    expect((await api().as(theirs).get('/auth/profile')).status).toBe(401);
  });

  async function accessToken(): Promise<string> {
    const { administratorEmail: username, administratorPassword: password } = api;
    return (await api().post('/auth/login', { username, password })).json.access_token;
  }
});
