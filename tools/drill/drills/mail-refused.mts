import { setTimeout as pause } from 'node:timers/promises';
import { call, type Reply } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { MailServer } from '../programs/mail-server.mts';

const users = 8;
const pollMs = 100;
/** A mail is sent again after half a minute. */
const deadlineMs = 60_000;

export const mailRefused: Drill = {
  name: 'mail-refused',
  action: 'has a mail server that defers every mail, and then takes them',
  expectation: 'requests are answered meanwhile, and each mail is sent once the server takes it',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceMailFailing'],
  run: async ({ start, newUser }) => {
    const server = await MailServer.start();
    try {
      const env = { SMTP_URL: server.url, MAIL_FROM: 'drill@example.com' };
      const { url } = await start({ env });
      const replies: Reply[] = [];
      const send = async (path: string, body: object) => replies.push(await call(`${url}${path}`, { body }));
      for (let at = 0; at < users; at += 1) {
        const username = `mailed-${at}@example.com`;
        const password = 'correct horse battery staple';
        await send('/users', { ...newUser(), email: username, password });
        await send('/auth/password-resets', { username });
      }
      await until(() => server.deferred >= users);
      server.isDeferring = false;
      const takenAt = performance.now();
      await until(() => server.recipients.size >= users);
      return finding(
        {
          'mails deferred': server.deferred,
          'mails taken': server.recipients.size,
          'taken after, ms': Math.round(performance.now() - takenAt),
        },
        {
          'requests are answered': replies.every(({ status }) => status >= 200 && status < 300),
          'each mail is sent': server.recipients.size === users,
        },
      );
    } finally {
      await server.stop();
    }
  },
};

async function until(holds: () => boolean): Promise<void> {
  const begun = performance.now();
  while (!holds() && performance.now() - begun < deadlineMs) await pause(pollMs);
}
