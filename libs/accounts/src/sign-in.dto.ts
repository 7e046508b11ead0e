import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** The credentials of a sign-in; `username` is the account's e-mail. */
export class LoginRequest {
  @IsString() username!: string;
  @IsString() password!: string;
}

/** What a sign-in gives. */
@Exclude()
export class LoginResponse {
  /** Compact JWS, to be sent as `Authorization: Bearer …`. */
  @Expose() access_token!: string;
}

/** Who the service takes the caller for. */
@Exclude()
export class Profile {
  /** The token's `sub`. */
  @Expose() @Schema({ type: 'integer' }) userId!: number;
  @Expose() username!: string;
}
