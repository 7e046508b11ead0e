import { deriveKeys } from '@app/auth';
import type { Rate } from '@app/settings';
import { Database } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { Challenges } from '../sign-in/challenges';
import { AttemptsStore } from '../limits/attempts.store';
import { Limiter } from '../limits/limiter';
import { AccountsOptions } from '../options';

/** The services that a program gives to each sign-in way. */
@Injectable()
export class SignInServices {
  constructor(
    private readonly options: AccountsOptions,
    private readonly attempts: AttemptsStore,
    private readonly db: Database,
  ) {}

  /** The public base URL of the web application, without a slash at the end. */
  get appUrl(): string {
    return this.options.appUrl;
  }

  /** Whether an e-mail must be confirmed before its account is used. */
  get verifiesEmails(): boolean {
    return this.options.verifiesEmails;
  }

  /** Returns the keys that encrypt for a purpose: the first key encrypts, all keys decrypt. */
  keysOf(purpose: string): ReturnType<typeof deriveKeys> {
    return deriveKeys(this.options.secrets(), purpose);
  }

  /** Returns the challenges of a sign-in way. Only this program accepts their responses. */
  challengesOf(way: string): Challenges {
    return new Challenges(this.db, way, this.options.application);
  }

  /** Returns a limiter. All programs on the database share its counters; `false` limits nothing. */
  limiter(limit: Rate | false): Limiter {
    return new Limiter(limit, this.attempts);
  }
}
