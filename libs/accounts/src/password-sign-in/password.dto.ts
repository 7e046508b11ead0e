import { IfGiven, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';
import { IsTransport, type Transport } from '../sessions/session-transport';

/** The caller's credentials. */
export class LoginRequest {
  /** The account's e-mail, compared case-insensitively. E-mails longer than 254 characters get 401. */
  @IsString() username!: string;
  /** The password, compared in Unicode NFC. Passwords outside 8 to 256 characters get 401. */
  @IsString() password!: string;
}

/** The response to a login. */
@Exclude()
export class LoginResponse {
  /** The access token, a compact JWS for `Authorization: Bearer …`. */
  @Expose() access_token!: string;
}

/** The caller's credentials and device name. */
export class SessionRequest extends LoginRequest {
  /** The device name in the session list; default: a name derived from `User-Agent`. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
  /** The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read. */
  @IsTransport() transport?: Transport;
}
