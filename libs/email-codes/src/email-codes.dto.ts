import { IsTransport, type Transport } from '@app/accounts';
import { NoLongerThan } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** A request for a sign-in code. */
export class RequestEmailCode {
  /** The account's e-mail. */
  @IsString() username!: string;
}

/** The secret that binds a code to the requesting client. */
@Exclude()
export class RequestedEmailCode {
  /** The secret to send with the code. The mail does not contain it. */
  @Expose() nonce!: string;
}

/** A code from a sign-in mail. */
export class CompleteEmailCode {
  /** The `nonce` from the response that requested the code. */
  @IsString() @NoLongerThan(100) nonce!: string;
  /**
   * The six digits in the mail, also in the fragment of its link.
   *
   * @example 042042
   */
  @IsString() @NoLongerThan(100) code!: string;
  /** The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read. */
  @IsTransport() transport?: Transport;
}
