import { accountMails } from './account-mails';
import { linkTo } from './mailer';

describe('a link in a mail', () => {
  it.each([
    ['https://example.com', 'https://example.com/reset-password#token=abc'],
    ['https://example.com/', 'https://example.com/reset-password#token=abc'],
    ['https://example.com/app/', 'https://example.com/app/reset-password#token=abc'],
  ])('has its token in the fragment: %s', (appUrl, link) => {
    expect(linkTo(appUrl, 'reset-password', 'abc')).toBe(link);
  });
});

describe('the mails about accounts', () => {
  const email = `"<b>'&"@example.com`;
  const link = 'https://example.com/#token=abc';
  const change = { newEmail: 'new@example.com', ip: '192.0.2.1', at: new Date(0), days: 7 };
  const mails = [
    accountMails.passwordReset({ email, link, minutes: 30 }),
    accountMails.passwordWasReset({ email, ip: '192.0.2.1', at: new Date(0) }),
    accountMails.passwordChanged({ email, ip: '192.0.2.1', at: new Date(0), apiKeys: 2 }),
    accountMails.newDevice({ email, ip: '192.0.2.1', device: 'curl', at: new Date(0) }),
    accountMails.factorChanged({
      email,
      factor: 'An authenticator application',
      change: 'ended',
      isByOperator: false,
      ip: '192.0.2.1',
      at: new Date(0),
    }),
    accountMails.emailVerification({ email, link, hours: 24 }),
    accountMails.emailChanged({ ...change, email, link }),
    accountMails.emailChanged({ ...change, email }),
  ];

  it('have the facts in both parts, as text in HTML', () => {
    for (const { text, html } of mails) {
      expect(text).toContain(email);
      expect(html).toContain('&quot;&lt;b&gt;&#39;&amp;&quot;@example.com');
      expect(html).not.toContain('<b>');
    }
  });

  it('show the link where there is one', () => {
    expect(mails.map((mail) => [mail.link, mail.text.includes(link), mail.html.includes(link)])).toEqual([
      [link, true, true],
      [undefined, false, false],
      [undefined, false, false],
      [undefined, false, false],
      [undefined, false, false],
      [link, true, true],
      [link, true, true],
      [undefined, false, false],
    ]);
  });

  it.each([
    [0, 'It has no API keys.'],
    [1, 'One API key still works: end those that you do not need.'],
    [2, '2 API keys still work: end those that you do not need.'],
  ])('tell of %i API keys, also without an address', (apiKeys, sentence) => {
    const { text } = accountMails.passwordChanged({ email, at: new Date(0), apiKeys });
    expect(text).toContain(sentence);
    expect(text).toContain('at Thu, 01 Jan 1970 00:00:00 GMT.');
  });
});
