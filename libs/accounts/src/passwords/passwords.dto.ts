import { IfGiven, NoLongerThan } from '@app/contract';
import { IsString, MinLength } from 'class-validator';

/** A new password of the caller. */
export class ChangePassword {
  /** 8 to 256 characters, compared in Unicode NFC, and otherwise as sent. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;

  /** Required with `PASSWORD_CHANGE=current`, and checked whenever it is sent. */
  @IfGiven()
  @IsString()
  @NoLongerThan(256)
  currentPassword?: string;
}

/** Asks for a link that sets a new password. */
export class RequestPasswordReset {
  /** The e-mail of the account. */
  @IsString()
  @NoLongerThan(320)
  username!: string;
}

/** Sets a new password. */
export class CompletePasswordReset {
  /** From the fragment of the link. */
  @IsString()
  @NoLongerThan(100)
  token!: string;

  /** 8 to 256 characters, compared in Unicode NFC, and otherwise as sent. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;
}
