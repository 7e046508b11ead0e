import { useMigratedDatabase } from '@app/persistence/testing';
import { mailSchema } from '../schema';
import { addMail, makeOutbox } from '../../testing/outbox';
import { TerminalNotice } from './terminal-notice';

describe('a terminal', () => {
  const store = useMigratedDatabase([mailSchema]);

  it('shows each new mail once, with its link, and without control characters', async () => {
    const outbox = makeOutbox(store.db);
    let shown = '';
    const notice = new TerminalNotice(outbox, (text) => (shown += text));
    await addMail(store.db, { subject: 'an old one' });
    await notice.showNew();
    expect(shown).toBe('');
    const link = 'https://example.com/#token=1';
    const mail = {
      kind: 'notice',
      recipient: '"\u001b[2J\r"@example.com',
      subject: 'Your link',
      text: link,
      html: link,
    };
    await outbox.add({ ...mail, cause: 'operator', link, goodForMs: 1000 }, store.db);
    await addMail(store.db, { subject: 'without\u009b2J a link\u202e' });
    await notice.showNew();
    await notice.showNew();
    expect(shown).toBe(
      `\n  mail    "\u{fffd}[2J\u{fffd}"@example.com: Your link\n          ${link}\n\n\n  mail    ada@example.com: without\u{fffd}2J a link\u{fffd}\n\n`,
    );
  });
});
