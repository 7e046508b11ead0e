import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { makeOneTimeSecret } from '../one-time-secret';
import { APPLICATION } from '../options';

/** The effect of a link in a mail. */
export type MailTokenKind = 'password reset' | 'email confirmation' | 'email undo' | 'invitation';

/** A token in a mailed link, valid once. */
export interface MailToken {
  /** A one-time secret, for the mail's reader. */
  readonly token: string;
  /** The SHA-256 in base64url, as stored. */
  readonly hash: string;
}

/** Makes the tokens in mailed links. Their hashes depend on the program and the kind, so that a token is unknown elsewhere. */
@Injectable()
export class MailTokens {
  /** @param audience the program that mails the links and accepts their tokens */
  constructor(@Inject(APPLICATION) private readonly audience: string) {}

  make(kind: MailTokenKind): MailToken {
    const token = makeOneTimeSecret();
    return { token, hash: this.hashOf(kind, token) };
  }

  /** Returns a token's stored hash. */
  hashOf(kind: MailTokenKind, token: string): string {
    return createHash('sha256')
      .update(JSON.stringify([this.audience, kind, token]))
      .digest('base64url');
  }
}
