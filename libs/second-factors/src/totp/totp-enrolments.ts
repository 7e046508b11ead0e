import { FactorEnrolments, type Limiter, type SignedInUser, TooManyAttemptsError } from '@app/accounts';
import type { Queries } from '@app/persistence';
import { renderSVG } from 'uqr';
import type { RecoveryCodes } from '../recovery-codes/recovery-codes.factor';
import { InvalidTotpCodeError, TotpEnrolledError, TotpNotEnrolledError } from './errors';
import { makeTotpSecret, stepOfCode, totpUri } from './totp-code';
import type { TotpEnrolment } from './totp.dto';
import type { TotpSecrets } from './totp-secrets';
import type { TotpStore } from './totp.store';

/** The time that a secret waits for the code that confirms it. */
export const ENROLMENT_MS = 3_600_000;

/** The {@link TotpEnrolments} dependencies. */
export interface TotpEnrolmentsParts {
  readonly enrolments: FactorEnrolments;
  readonly store: TotpStore;
  readonly secrets: TotpSecrets;
  readonly recoveryCodes: RecoveryCodes;
  /** The limiter for the codes with which an account confirms an enrolment. */
  readonly codes: Limiter;
  /** The service name in authenticator applications. */
  readonly issuer: string;
}

/** Enrols authenticator applications as the second factor of accounts. */
export class TotpEnrolments {
  constructor(private readonly parts: TotpEnrolmentsParts) {}

  /**
   * Makes a secret, which a code must confirm within an hour. An unconfirmed enrolment ends.
   *
   * @param hasQr whether the QR code is rendered, which takes a millisecond
   * @throws TotpEnrolledError if the account already has a confirmed secret
   * @throws the {@link FactorEnrolments.change} errors
   */
  async begin(caller: SignedInUser, hasQr = false): Promise<TotpEnrolment> {
    const { enrolments, store, secrets, issuer } = this.parts;
    const secret = makeTotpSecret();
    const email = await enrolments.change(caller, async (account, db) => {
      const sealed = secrets.seal(secret, account.id);
      if (!(await store.begin({ accountId: account.id, ...sealed, createdAt: new Date() }, db)))
        throw new TotpEnrolledError();
      return account.email;
    });
    const uri = totpUri(secret, email, issuer);
    return { secret, uri, ...(hasQr && { qr: renderSVG(uri, { ecc: 'M', border: 4 }) }) };
  }

  /**
   * Confirms an enrolment. From now on, sign-ins require a code.
   *
   * @returns the recovery codes
   * @throws TotpNotEnrolledError if there is no enrolment to confirm
   * @throws InvalidTotpCodeError, TooManyAttemptsError
   * @throws the {@link FactorEnrolments.add} errors
   */
  async confirm(caller: SignedInUser, code: string, ip: string): Promise<string[]> {
    const { enrolments, codes, store, recoveryCodes } = this.parts;
    const waitMs = await codes.count(`totp:${caller.userId}`);
    if (waitMs > 0) throw new TooManyAttemptsError(waitMs);
    return enrolments.add(caller, { kind: 'totp' }, ip, async ({ id }, db) => {
      await store.confirm(id, await this.stepToConfirm(id, code, db), db);
      return recoveryCodes.issue(id, db);
    });
  }

  /** Returns the code's step. The account is locked, so that the enrolment cannot change meanwhile. */
  private async stepToConfirm(accountId: number, code: string, db: Queries): Promise<number> {
    const { store, secrets } = this.parts;
    const totp = await store.find(accountId, db);
    const isPending = totp?.confirmedAt === null && totp.createdAt.getTime() > Date.now() - ENROLMENT_MS;
    const secret = isPending ? secrets.unseal(totp) : undefined;
    if (secret === undefined) throw new TotpNotEnrolledError();
    const step = stepOfCode(secret, code, new Date());
    if (step === undefined) throw new InvalidTotpCodeError();
    return step;
  }
}
