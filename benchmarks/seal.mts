/** What encrypting and decrypting a mail of the outbox costs: `npm run bench:seal`. */
import '../scripts/load-sources.mts';
import { createSecretKey, randomBytes } from 'node:crypto';
import type { SealKeys } from '../libs/mail/src/seal.ts';

const { seal, unseal } = await import('../libs/mail/src/seal.ts');
const { accountMails } = await import('../libs/accounts/src/mails/account-mails.ts');

const calls = 100_000;
const rounds = 5;
const keys: SealKeys = [createSecretKey(randomBytes(32))];
const mail = accountMails.passwordReset({
  email: 'ada@example.com',
  link: `https://example.com/reset-password#token=${randomBytes(32).toString('base64url')}`,
  minutes: 30,
});
const sealed = seal(mail, keys);

for (let round = 0; round < rounds; round++) {
  const costs = [cpuOf(() => seal(mail, keys)), cpuOf(() => unseal(sealed, keys))].map((us) => us.toFixed(1));
  process.stdout.write(
    `a mail of ${JSON.stringify(mail).length} bytes, ${sealed.length} in its row: ${costs[0]} µs of CPU to encrypt, ${costs[1]} µs to decrypt\n`,
  );
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
