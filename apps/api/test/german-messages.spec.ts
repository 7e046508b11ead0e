import { readFileSync } from 'node:fs';
import { createClient } from '@app/client';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { inGerman } from '../testing/german-messages';

const password = 'correct horse battery staple';

describe('a client that writes its own messages', () => {
  const api = bootApi();

  async function messagesOf(body: { email: string; password: string }): Promise<string[][]> {
    const { error } = await createClient({ baseUrl: api().url }).POST('/users', { body });
    return (error?.errors ?? []).map((value) => [value.pointer, inGerman(value)]);
  }

  it('needs codes and arguments only', async () => {
    expect(await messagesOf({ email: 'ada', password: 'kurz' })).toEqual([
      ['/email', 'Das ist keine E-Mail-Adresse.'],
      ['/password', 'Bitte mindestens 8 Zeichen.'],
    ]);
    const email = newEmail();
    await messagesOf({ email, password });
    expect(await messagesOf({ email, password })).toEqual([
      ['/email', 'Diese E-Mail-Adresse ist schon vergeben.'],
    ]);
  });

  it('is the example of the README', () => {
    const example = readFileSync('apps/api/testing/german-messages.ts', 'utf8').replace('@app/', '@sluice/');
    expect(readFileSync('libs/client/README.md', 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  });
});
