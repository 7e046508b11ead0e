import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** Credentials; `username` is the e-mail. */
export class LoginRequest {
  @IsString() username!: string;
  @IsString() password!: string;
}

/** The response to a login. */
@Exclude()
export class LoginResponse {
  /** Compact JWS for `Authorization: Bearer …`. */
  @Expose() access_token!: string;
}

/** The authenticated caller. */
@Exclude()
export class Profile {
  /** The `sub` claim of the token. */
  @Expose() @Schema({ type: 'integer' }) userId!: number;
  @Expose() username!: string;
}
