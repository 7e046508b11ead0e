/**
 * Measures how long encrypting and decrypting an outbox mail takes: `npm run bench -- seal`.
 *
 * `--quick` measures a tenth of the calls. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { createSecretKey, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { SealKeys } from '../libs/mail/src/outbox/seal.ts';

const { seal, unseal } = await import('../libs/mail/src/outbox/seal.ts');
const { accountMails } = await import('../libs/accounts/src/mails/account-mails.ts');

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const calls = values.quick ? 10_000 : 100_000;
const rounds = 5;
const keys: SealKeys = [createSecretKey(randomBytes(32))];
const text = JSON.stringify(
  accountMails.passwordReset({
    email: 'ada@example.com',
    link: `https://example.com/reset-password#token=${randomBytes(32).toString('base64url')}`,
    minutes: 30,
  }),
);
const sealed = seal(text, keys);

const subject = `a mail of ${text.length} bytes, ${sealed.length} in its row`;
const works = { encrypt: () => seal(text, keys), decrypt: () => unseal(sealed, keys) };
const rows: object[] = [];

for (let round = 0; round < rounds; round++) {
  for (const [name, work] of Object.entries(works)) {
    const value = Number(cpuOf(work).toFixed(1));
    rows.push({ case: name, subject, value, unit: 'µs of CPU' });
    if (!values.json) process.stdout.write(`${subject}: ${value} µs of CPU to ${name}\n`);
  }
}
if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
