import { mailOptions } from './options';
import { mailSettings } from './settings';

describe('the settings of mails', () => {
  it('reject a server or a sender that cannot be one', () => {
    for (const url of ['mail.example.com', 'http://mail.example.com'])
      expect(mailSettings.SMTP_URL.safeParse(url).error?.issues[0]?.message).toContain('must be smtp://');
    expect(mailSettings.MAIL_FROM.safeParse('Sluice').error?.issues[0]?.message).toContain('e-mail address');
  });

  it('give the domain of the sender, with a name and without', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    for (const MAIL_FROM of ['no-reply@example.com', 'Sluice <no-reply@example.com>']) {
      expect(mailSettings.MAIL_FROM.safeParse(MAIL_FROM).success).toBe(true);
      expect(mailOptions({ SMTP_URL, MAIL_FROM })).toMatchObject({
        domain: 'example.com',
        from: MAIL_FROM,
      });
    }
  });

  it('keep mails without a server', () => {
    expect(mailOptions({}).server).toBeUndefined();
  });
});
