import { AccessTokens } from '@app/auth';
import { Database } from '@app/persistence';
import { Outbox } from '@app/mail';
import { startMailServer } from '@app/mail/testing';
import { type BootedProgram, type Client, newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

/** Adds a mail and returns its recipient. */
async function addMail(admin: BootedProgram): Promise<string> {
  const [outbox, db] = [
    admin.app().get(Outbox, { strict: false }),
    admin.app().get(Database, { strict: false }),
  ];
  const recipient = newEmail();
  const [subject, text] = ['Your link', 'https://example.com/#token=secret'];
  await outbox.add(
    {
      kind: 'password-reset',
      recipient,
      subject,
      text,
      html: `<p>${text}</p>`,
      cause: 'operator',
      goodForMs: 60_000,
    },
    db,
  );
  return recipient;
}

describe('the outbox, without a mail server', () => {
  const admin = bootAdmin();

  const events = async (operator: Client) => (await operator.get('/audit?kind=outbox-read')).json.items;

  it('shows who was sent what and when, but no text, to an administrator whose sign-in is older than 15 minutes', async () => {
    const recipient = await addMail(admin);
    const operator = await admin.administrator();
    const { userId, username } = (await operator.get('/auth/profile')).json;
    const auth_time = Math.floor(Date.now() / 1000) - 16 * 60;
    const late = admin().as(
      admin.app().get(AccessTokens, { strict: false }).sign({ sub: userId, username, auth_time }),
    );
    const { status, json } = await late.get('/outbox?limit=1');
    expect(status).toBe(200);
    expect(json.items).toMatchObject([{ kind: 'password-reset', recipient, text: null }]);
    expect(await events(operator)).toEqual([]);
  });

  it('shows administrators the mails with their texts, and records each that it showed', async () => {
    const recipient = await addMail(admin);
    const operator = await admin.administrator();
    const { status, json } = await operator.get('/outbox?limit=1');
    expect(status).toBe(200);
    expect(json.items).toEqual([
      {
        id: expect.any(Number),
        kind: 'password-reset',
        recipient,
        text: 'https://example.com/#token=secret',
        attempts: 0,
        failure: null,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        dueAt: json.items[0].createdAt,
        sentAt: null,
      },
    ]);
    expect(await events(operator)).toMatchObject([{ detail: { mail: json.items[0].id } }]);
    await operator.get('/outbox?limit=2');
    expect(await events(operator)).toHaveLength(3);
  });

  it('has pages', async () => {
    const recipients = [await addMail(admin), await addMail(admin)];
    const operator = await admin.administrator();
    const first = await operator.get('/outbox?limit=1');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const mails = [...first.json.items, ...(await operator.get(next)).json.items];
    expect(mails.map((mail: { recipient: string }) => mail.recipient)).toEqual(recipients.toReversed());
  });

  it('is for administrators only', async () => {
    expect((await admin().get('/outbox')).status).toBe(401);
    const credentials = { email: newEmail(), password: 'correct horse battery staple' };
    await (
      await admin.administrator()
    ).post('/users', { ...credentials, firstName: 'Ada', lastName: 'Lovelace' });
    const user = await admin().signIn(credentials.email, credentials.password);
    expect((await user.get('/outbox')).status).toBe(403);
  });
});

describe('the outbox, with a mail server', () => {
  let server: Awaited<ReturnType<typeof startMailServer>>;
  const env: Record<string, string> = { MAIL_FROM: 'Sluice <no-reply@example.com>' };
  beforeAll(async () => {
    server = await startMailServer();
    env.SMTP_URL = `smtp://127.0.0.1:${server.port}`;
  });
  const admin = bootAdmin({ env });
  afterAll(() => server.close());

  it('shows what was sent and what was not, without the texts', async () => {
    server.answer = 'defer';
    const recipient = await addMail(admin);
    const operator = await admin.administrator();
    const newest = async () => (await operator.get('/outbox?limit=1')).json.items[0];
    await expect.poll(newest, { timeout: 15_000 }).toMatchObject({ failure: '451 RCPT TO' });
    expect(await newest()).toMatchObject({ recipient, text: null, sentAt: null, attempts: 1 });
    server.answer = 'accept';
    const sent = await addMail(admin);
    await expect
      .poll(newest, { timeout: 15_000 })
      .toMatchObject({ recipient: sent, sentAt: expect.any(String), dueAt: null, text: null });
    expect(server.received.map(({ recipients }) => recipients)).toEqual([[sent]]);
    expect((await operator.get('/audit?kind=outbox-read')).json.items).toEqual([]);
  });
});
