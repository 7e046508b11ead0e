import { Validator } from '@seriousme/openapi-schema-validator';
import { GreetingController, MachineController, strategies } from '../../docs/guides/optional-sign-in.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/optional-sign-in.md', () => {
  const program = bootGuide({
    controllers: [GreetingController, MachineController],
    accounts: { strategies },
  });

  it('greets visitors and users, and refuses an expired token', async () => {
    expect((await program().get('/greeting')).json).toEqual({ text: 'Welcome' });
    const user = await program.administrator();
    expect((await user.get('/greeting')).json).toEqual({ text: `Welcome, ${program.administratorEmail}` });
    const expired = await program.tokenOf({ issuedSecondsAgo: 100 });
    expect((await program().as(expired).get('/greeting')).status).toBe(401);
  });

  it('accepts a scheme of the application, on the routes that name it', async () => {
    const machine = program().with({ authorization: 'Token k-1' });
    expect((await machine.get('/machine/greeting')).json).toEqual({ text: 'Welcome, the coffee machine' });
    expect((await program().with({ authorization: 'Token k-2' }).get('/machine/greeting')).status).toBe(401);
    expect((await machine.get('/auth/profile')).status).toBe(401);
    expect((await (await program.administrator()).get('/machine/greeting')).status).toBe(401);
  });

  it('has a valid OpenAPI document', async () => {
    const { json } = await program().get('/openapi.json');
    expect(json.paths['/greeting'].get.security).toEqual([{ jwt: [] }, {}]);
    expect(json.paths['/machine/greeting'].get.security).toEqual([{ token: [] }]);
    expect(Object.keys(json.components.securitySchemes)).toEqual(['jwt', 'api-key', 'token']);
    expect(await new Validator().validate(json)).toMatchObject({ valid: true });
  });
});
