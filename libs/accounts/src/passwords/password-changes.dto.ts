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
