import { Outbox, type OutboxEntry } from '@app/mail';
import { mails, RemindersController } from '../../docs/guides/mails.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/mails.md', () => {
  const program = bootGuide({ controllers: [RemindersController], accounts: { mails } });
  const list = (): Promise<readonly OutboxEntry[]> =>
    program.app().get(Outbox).list({ limit: 10, offset: 0 });

  it('replaces the texts of mails about accounts', async () => {
    const { status } = await program().post('/auth/password-resets', {
      username: program.administratorEmail,
    });
    expect(status).toBe(202);
    await vi.waitFor(async () => expect((await list())[0]?.text?.subject).toBe('Neues Passwort'));
    expect((await list())[0]?.text?.html).toContain('(30 Minuten gültig)');
  });

  it('sends a mail of the application, once for a retried request', async () => {
    const caller = (await program.administrator()).with({ 'idempotency-key': 'reminder-1' });
    for (const _ of [1, 2]) expect((await caller.post('/reminders')).status).toBe(204);
    const reminders = (await list()).filter(({ kind }) => kind === 'reminder');
    expect(reminders).toMatchObject([{ recipient: program.administratorEmail, sentAt: null }]);
  });
});
