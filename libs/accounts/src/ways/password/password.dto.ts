import { IfGiven, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';

/** Credentials; `username` is the e-mail. */
export class LoginRequest {
  /** The e-mail of an account, compared without regard to case. No account has one of more than 254 characters: such a text is a 401. */
  @IsString() username!: string;
  /** Compared in Unicode NFC, and otherwise as sent. No account has one of less than 8 or more than 256 characters: such a text is a 401. */
  @IsString() password!: string;
}

/** The response to a login. */
@Exclude()
export class LoginResponse {
  /** Compact JWS for `Authorization: Bearer …`. */
  @Expose() access_token!: string;
}

/** Credentials, and the name of the device. */
export class SessionRequest extends LoginRequest {
  /** As the list of sessions shows it; without it what `User-Agent` says. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
}
