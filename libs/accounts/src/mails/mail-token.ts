import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { makeOneTimeSecret } from '../one-time-secret';
import { APPLICATION } from '../options';

/** The effect of a link in a mail. */
export type MailTokenKind = 'password reset' | 'email confirmation' | 'email undo';

/** A token in the link of a mail, valid once. */
export interface MailToken {
  /** A one-time secret, for the reader of the mail. */
  readonly token: string;
  /** SHA-256 in base64url, as stored. */
  readonly hash: string;
}

/** The tokens in the links that a program mails. Hashes keep each program and kind apart: elsewhere a token is unknown. */
@Injectable()
export class MailTokens {
  /** @param audience the program that mails a link, and completes it */
  constructor(@Inject(APPLICATION) private readonly audience: string) {}

  make(kind: MailTokenKind): MailToken {
    const token = makeOneTimeSecret();
    return { token, hash: this.hashOf(kind, token) };
  }

  /** Returns the stored hash of a token. */
  hashOf(kind: MailTokenKind, token: string): string {
    return createHash('sha256')
      .update(JSON.stringify([this.audience, kind, token]))
      .digest('base64url');
  }
}
