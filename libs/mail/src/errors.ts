/** The server rejects this mail permanently, for example because its address does not exist. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';

  /** @param failure for the outbox: status and command, without the server's text, which may repeat the mail */
  constructor(
    readonly failure: string,
    options?: ErrorOptions,
  ) {
    super('The mail server refuses this mail; it is not sent again.', options);
  }
}

/** The server defers this mail, for example because of a full mailbox. It may accept other mails. */
export class MailDeferredError extends Error {
  override readonly name = 'MailDeferredError';

  /** @param failure as in {@link MailRefusedError} */
  constructor(
    readonly failure: string,
    options?: ErrorOptions,
  ) {
    super('The mail server deferred this mail; it is retried.', options);
  }
}

/** The server could not be reached, rejected the credentials or the sender, or is shutting down. */
export class MailServerError extends Error {
  override readonly name = 'MailServerError';

  /** @param failure as in {@link MailRefusedError} */
  constructor(
    readonly failure: string,
    options?: ErrorOptions,
  ) {
    super('The mail server did not accept the mail; it is retried. Check SMTP_URL and MAIL_FROM.', options);
  }
}
