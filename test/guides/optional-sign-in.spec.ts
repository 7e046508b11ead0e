import { Validator } from '@seriousme/openapi-schema-validator';
import { describeRoutes } from '@app/service';
import { GreetingController, machines } from '../../docs/guides/who-may-call.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/who-may-call.md', () => {
  const program = bootGuide({
    controllers: [GreetingController],
    plugins: [machines],
  });

  it('greets visitors and users, and refuses an expired token', async () => {
    expect((await program().get('/greeting')).json).toEqual({ text: 'Welcome' });
    const user = await program.administrator();
    expect((await user.get('/greeting')).json).toEqual({ text: `Welcome, ${program.administratorEmail}` });
    const expired = await program.tokenOf({ issuedSecondsAgo: 100 });
    expect((await program().as(expired).get('/greeting')).status).toBe(401);
    const route = describeRoutes(program.app()).find(({ path }) => path === '/greeting');
    expect(route?.callers).toMatchObject({ isPublic: true, strategies: ['jwt'] });
    expect(Reflect.get(program.app().getHttpAdapter(), 'compiled').names).toContain('GET /greeting');
  });

  it('accepts a scheme of the application, on the routes that name it', async () => {
    const machine = program().with({ authorization: 'Token k-1' });
    expect((await machine.get('/machine/greeting')).json).toEqual({ text: 'Welcome, the coffee machine' });
    expect((await program().with({ authorization: 'Token k-2' }).get('/machine/greeting')).status).toBe(401);
    expect((await machine.get('/auth/profile')).status).toBe(401);
    expect((await (await program.administrator()).get('/machine/greeting')).status).toBe(401);
  });

  it('accepts cookies for what a page of the origin sends', async () => {
    const greet = async (cookie: string) => program().with({ cookie }).get('/visits');
    expect((await program().get('/visits')).json).toEqual({ text: 'Welcome, stranger' });
    expect((await greet('__Host-guest=k-1')).json).toEqual({ text: 'Welcome, the coffee machine' });
    expect((await greet('__Host-guest=k-2')).status).toBe(401);
    const record = async (origin: string) =>
      (await program().with({ cookie: '__Host-guest=k-1', origin }).post('/visits')).status;
    expect([await record('https://shop.example'), await record('https://evil.example')]).toEqual([201, 401]);
  });

  it('has a valid OpenAPI document', async () => {
    const { json } = await program().get('/openapi.json');
    expect(json.paths['/greeting'].get.security).toEqual([{}, { jwt: [] }]);
    expect(Object.keys(json.paths['/greeting'].get.responses)).toEqual([
      '200',
      '401',
      '403',
      '503',
      'default',
    ]);
    expect(json.paths['/visits'].get.security).toEqual([{}, { cookie: [] }]);
    expect(json.paths['/machine/greeting'].get.security).toEqual([{ token: [] }]);
    expect(Object.keys(json.components.securitySchemes)).toEqual(['jwt', 'api-key', 'token', 'cookie']);
    expect(await new Validator().validate(json)).toMatchObject({ valid: true });
  });
});
