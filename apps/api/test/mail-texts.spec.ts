import { accounts } from '@app/accounts';
import { html, Outbox } from '@app/mail';
import { defineProgram } from '@app/service';
import { bootProgram } from '@app/service/testing';

describe('an application with mails of its own', () => {
  const german = accounts({
    mails: {
      passwordReset: ({ link, minutes }) => ({
        subject: 'Neues Passwort',
        text: `${link} (${minutes} Minuten)`,
        html: html`<a href="${link}">Neues Passwort</a>`,
        link,
      }),
    },
  });
  const api = bootProgram(defineProgram({ name: 'api', plugins: [german] }));

  it('sends its texts, and the default ones for what it does not replace', async () => {
    const outbox = api.app().get(Outbox, { strict: false });
    const newest = async () => (await outbox.list({ limit: 1, offset: 0 }))[0]?.text;
    await api().post('/auth/password-resets', { username: api.administratorEmail });
    const mail = await newest();
    expect(mail).toMatchObject({ subject: 'Neues Passwort', text: `${mail?.link} (30 Minuten)` });
    const token = mail?.link?.split('#token=')[1];
    await api().post('/auth/password-resets/complete', { token, password: 'ein neues Passwort' });
    expect(await newest()).toMatchObject({ subject: 'Your password was changed' });
  });
});
