import { type StatementEnd, storeChannels } from '@app/persistence';
import { newEmail, totpCode } from '@app/service/testing';
import { generateSync } from 'otplib/functional';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';
const STEP_SECONDS = 30;
/** Tables that a sign-in reads or writes. */
const ofSignIn =
  /clock_timestamp|"(?:account|attempt|audit_event|known_device|session|refresh_token|pending_sign_in|totp|passkey|recovery_code)"/;
/** Jobs of the program delete in batches, and seal the audit log. */
const ofJobs = /^delete from .* limit |"block"|audit_block/s;

describe('the statements of a sign-in from a known device', () => {
  const api = bootApi({ env: { NEW_DEVICE_MAIL: 'on' } });

  async function statementsOf(request: () => Promise<{ readonly status: number }>): Promise<string[]> {
    const executed: string[] = [];
    const note = (end: unknown) => void executed.push((end as StatementEnd).sql);
    storeChannels.statement.subscribe(note);
    onTestFinished(() => storeChannels.statement.unsubscribe(note));
    expect([200, 201]).toContain((await request()).status);
    storeChannels.statement.unsubscribe(note);
    return executed.filter((sql) => ofSignIn.test(sql) && !ofJobs.test(sql));
  }

  async function signUp() {
    const username = newEmail();
    await api().post('/users', { email: username, password });
    return { client: await api().signIn(username, password), credentials: { username, password } };
  }

  it('are six for a login', async () => {
    const { credentials } = await signUp();
    const statements = await statementsOf(() => api().post('/auth/login', credentials));
    expect(statements).toHaveLength(6);
    expect(statements.filter((sql) => /\bfrom "account"|join "account"/.test(sql))).toHaveLength(1);
  });

  it('are nine for a code of an authenticator application', async () => {
    const { client, credentials } = await signUp();
    const { secret } = (await client.post('/auth/factors/totp')).json;
    const epoch = Math.floor(Date.now() / 1000) - STEP_SECONDS;
    await client.post('/auth/factors/totp/confirm', { code: generateSync({ secret, epoch }) });
    const { mfa_token } = (await api().post('/auth/sessions', credentials)).json;
    const complete = () =>
      api().post('/auth/sessions/complete', { mfa_token, factor: 'totp', code: totpCode(secret) });
    expect(await statementsOf(complete)).toHaveLength(9);
  });
});
