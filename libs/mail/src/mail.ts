/** The texts of a mail. */
export interface MailText {
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same as an HTML document. */
  readonly html: string;
  /** The link that the reader is to open, shown in a terminal; it may authenticate. */
  readonly link?: string;
}

/** A mail to be sent. */
export interface NewMail extends MailText {
  /** What it is about, such as `password-reset`. */
  readonly kind: string;
  /** One e-mail address. */
  readonly recipient: string;
  /** What caused it, such as the address of a request: mails of several causes are sent round-robin. Not empty. */
  readonly cause: string;
  /** The account that it is about: with it, what is not sent yet is dropped. */
  readonly accountId?: number;
  /** Not sent later than this after it was added, because its link has expired then. */
  readonly goodForMs: number;
}

/** A mail as a server is given it; the same at every attempt. */
export interface OutgoingMail extends MailText {
  readonly recipient: string;
  /** `<id@domain>`, so that a receiver recognizes a repeated one. */
  readonly messageId: string;
  readonly createdAt: Date;
}

/** Sends mails. */
export interface MailTransport {
  /**
   * Resolves when the server has accepted the mail.
   *
   * @throws MailRefusedError if it will never accept it, MailDeferredError if it does not accept it now, MailServerError if it accepts none
   */
  send(mail: OutgoingMail): Promise<void>;
}
