/** A mail's texts. */
export interface MailText {
  readonly subject: string;
  /** The plain text. */
  readonly text: string;
  /** The text as an HTML document. */
  readonly html: string;
  /** The link for the reader, shown in a terminal; it may authenticate. */
  readonly link?: string;
}

/** A mail to be sent. */
export interface NewMail extends MailText {
  /** The mail kind, such as `password-reset`. */
  readonly kind: string;
  /** The recipient, a single e-mail address. */
  readonly recipient: string;
  /** The cause, such as a request's address. Mails with different causes are sent round-robin. Must not be empty. */
  readonly cause: string;
  /** The account that the mail is about. Unsent mails with an account id can be dropped. */
  readonly accountId?: number;
  /** The time from adding the mail until its link expires. After it the mail is not sent. */
  readonly goodForMs: number;
}

/** A mail as it is passed to a server; the same at every attempt. */
export interface OutgoingMail extends MailText {
  readonly recipient: string;
  /** The message id, `<id@domain>`, by which a receiver recognizes a repeated mail. */
  readonly messageId: string;
  readonly createdAt: Date;
}

/** Sends mails. */
export interface MailTransport {
  /**
   * Resolves when the server has accepted the mail.
   *
   * @throws MailRefusedError if the server will never accept it, MailDeferredError if the server defers it, MailServerError if
   *   the server accepts no mail
   */
  send(mail: OutgoingMail): Promise<void>;
}
