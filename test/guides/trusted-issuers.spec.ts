import { FakeIssuer } from '@app/accounts/testing';
import { trustedIssuers } from '@app/trusted-issuers';
import { MachinesController } from '../../docs/guides/who-may-call.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/who-may-call.md', () => {
  const env: Record<string, string> = {};
  let issuer: FakeIssuer;
  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    env.TRUSTED_ISSUERS = `${issuer.url} audience=shop-api accounts=off`;
  });
  afterAll(() => issuer.stop());
  const program = bootGuide({ controllers: [MachinesController], plugins: [trustedIssuers()], env });

  it('shows a machine what its token says of it', async () => {
    const machine = program().as(await issuer.sign({ sub: 'robot' }));
    expect((await machine.get('/machines/current')).json).toEqual({ subject: 'robot' });
    expect((await (await program.administrator()).get('/machines/current')).status).toBe(401);
  });
});
