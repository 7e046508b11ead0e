import { Database } from '@app/persistence';
import { Outbox } from '@app/mail';
import { startMailServer } from '@app/mail/testing';
import { type BootedProgram, newEmail } from '@app/service/testing';
import { bootAdmin } from '../../testing/boot-admin';

/** Adds a mail and returns its recipient. */
async function addMail(admin: BootedProgram): Promise<string> {
  const [outbox, db] = [
    admin.app().get(Outbox, { strict: false }),
    admin.app().get(Database, { strict: false }),
  ];
  const recipient = newEmail();
  const [subject, text] = ['Your link', 'https://example.com/#token=secret'];
  await outbox.add(
    { kind: 'password-reset', recipient, subject, text, html: `<p>${text}</p>`, goodForMs: 60_000 },
    db,
  );
  return recipient;
}

describe('the outbox, without a mail server', () => {
  const admin = bootAdmin();

  it('shows administrators the mails with their texts, and records that it did', async () => {
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
    const { items } = (await operator.get('/audit?kind=outbox-read')).json;
    expect(items).toHaveLength(1);
  });

  it('has pages', async () => {
    const recipients = [await addMail(admin), await addMail(admin)];
    const operator = await admin.administrator();
    const first = await operator.get('/outbox?limit=1');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const found = [...first.json.items, ...(await operator.get(next)).json.items];
    expect(found.map((mail: { recipient: string }) => mail.recipient)).toEqual(recipients.toReversed());
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
