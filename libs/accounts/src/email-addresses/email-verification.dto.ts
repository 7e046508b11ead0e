import { NoLongerThan } from '@app/contract';
import { IsString, MinLength } from 'class-validator';

/** Confirms an e-mail. */
export class CompleteEmailVerification {
  /** From the fragment of the link. */
  @IsString()
  @NoLongerThan(100)
  token!: string;
}

/** Undoes a change of the e-mail. */
export class UndoEmailChange {
  /** From the fragment of the link. */
  @IsString()
  @NoLongerThan(100)
  token!: string;

  /** A new one: 8 to 256 characters, compared in Unicode NFC, and otherwise as sent. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;
}
