import { NoLongerThan } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** Asks for a code by mail. */
export class RequestEmailCode {
  /** The e-mail of the account. */
  @IsString() username!: string;
}

/** What binds a code to the client that asked for it. */
@Exclude()
export class RequestedEmailCode {
  /** To be sent with the code, by this client alone: the mail does not have it. */
  @Expose() nonce!: string;
}

/** A code of a mail. */
export class CompleteEmailCode {
  /** Of the response to the request. */
  @IsString() @NoLongerThan(100) nonce!: string;
  /**
   * The six digits of the mail; its link has them in the fragment.
   *
   * @example 042042
   */
  @IsString() @NoLongerThan(100) code!: string;
}
