import { NoLongerThan } from '@app/contract';
import { IsString, MinLength } from 'class-validator';

/** Confirms an e-mail. */
export class CompleteEmailVerification {
  /** The token in the link's fragment. */
  @IsString()
  @NoLongerThan(100)
  token!: string;
}

/** The token and a new password that undo an e-mail change. */
export class UndoEmailChange {
  /** The token in the link's fragment. */
  @IsString()
  @NoLongerThan(100)
  token!: string;

  /** The new password: 8 to 256 characters, compared in Unicode NFC. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;
}
