import { readSmtpUrl } from './smtp-url';

describe('the URL of a mail server', () => {
  it('has a port by its protocol', () => {
    expect(readSmtpUrl('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false });
    expect(readSmtpUrl('smtps://mail.example.com')).toMatchObject({ port: 465, secure: true });
    expect(readSmtpUrl('smtp://[::1]:25')).toMatchObject({ host: '::1', port: 25 });
  });

  it('has a user and a password, percent-encoded', () => {
    const { auth } = readSmtpUrl('smtps://me%40example.com:p%3Ass%2F100%25@mail.example.com') ?? {};
    expect(auth).toEqual({ user: 'me@example.com', pass: 'p:ss/100%' });
    expect(readSmtpUrl('smtps://me:100%@mail.example.com')?.auth?.pass).toBe('100%');
  });

  it('requires TLS where a password is sent', () => {
    expect(readSmtpUrl('smtp://me:secret@mail.example.com')?.requireTLS).toBe(true);
    expect(readSmtpUrl('smtp://mail.example.com')?.requireTLS).toBe(false);
  });

  it.each([
    '',
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://me@mail.example.com',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls=off',
  ])('is nothing else: %s', (text) => {
    expect(readSmtpUrl(text)).toBeUndefined();
  });
});
