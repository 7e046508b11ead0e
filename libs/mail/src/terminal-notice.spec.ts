import { useMigratedDatabase } from '@app/persistence/testing';
import { addMail, makeOutbox } from '../testing/outbox';
import { TerminalNotice } from './terminal-notice';

describe('a terminal', () => {
  const store = useMigratedDatabase();

  it('shows each new mail once, with its link', async () => {
    const outbox = makeOutbox(store.db);
    let shown = '';
    const notice = new TerminalNotice(outbox, (text) => (shown += text));
    await addMail(store.db, { subject: 'an old one' });
    await notice.showNew();
    expect(shown).toBe('');
    const link = 'https://example.com/#token=1';
    const mail = {
      kind: 'notice',
      recipient: 'ada@example.com',
      subject: 'Your link',
      text: link,
      html: link,
    };
    await outbox.add({ ...mail, link, goodForMs: 1000 }, store.db);
    await addMail(store.db, { subject: 'without a link' });
    await notice.showNew();
    await notice.showNew();
    expect(shown).toBe(
      `\n  mail    ada@example.com: Your link\n          ${link}\n\n\n  mail    ada@example.com: without a link\n\n`,
    );
  });
});
