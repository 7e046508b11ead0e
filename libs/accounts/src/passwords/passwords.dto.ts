import { IfGiven, NoLongerThan } from '@app/contract';
import { IsString, MinLength } from 'class-validator';

/** A new password for the caller. */
export class ChangePassword {
  /** The new password: 8 to 256 characters, compared in Unicode NFC. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;

  /** The current password. Required with `PASSWORD_CHANGE=current`, and checked whenever it is sent. */
  @IfGiven()
  @IsString()
  @NoLongerThan(256)
  currentPassword?: string;
}

/** A request for a password-reset link. */
export class RequestPasswordReset {
  /** The account's e-mail. */
  @IsString()
  @NoLongerThan(320)
  username!: string;
}

/** Sets a new password. */
export class CompletePasswordReset {
  /** The token in the link's fragment. */
  @IsString()
  @NoLongerThan(100)
  token!: string;

  /** The new password: 8 to 256 characters, compared in Unicode NFC. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;
}
