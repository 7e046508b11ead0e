import { IfGiven, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
/** A refresh's body. */
export class RefreshRequest {
  /** The refresh token; omit it if the session is in a cookie. */
  @IfGiven() @IsString() refresh_token?: string;
}

/** A session's tokens. */
@Exclude()
export class SessionTokens {
  /** The access token, a compact JWS for `Authorization: Bearer …`. */
  @Expose() access_token!: string;
  /** A single-use token for `POST /auth/refresh`; absent if a cookie carries it. */
  @Expose() @Schema({}, { isOptional: true }) refresh_token?: string;
  /** The seconds until the access token expires. */
  @Expose() @Schema({ type: 'integer', examples: [60] }) expires_in!: number;
}

/** The first factor is correct, and the account requires a second factor. */
@Exclude()
export class MfaRequired {
  @Expose() @Schema({ const: true }) mfa_required!: true;
  /** The second factors that the account accepts. */
  @Expose()
  @Schema({ type: 'array', items: { type: 'string' }, examples: [['totp', 'recovery-code']] })
  factors!: string[];
  /** The token for `POST /auth/sessions/complete`, valid for five minutes and for that route alone. */
  @Expose() mfa_token!: string;
}

/** A session. */
@Exclude()
export class Session {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** The client's address at sign-in. */
  @Expose() ip!: string;
  /** The name chosen at sign-in, or derived from `User-Agent`, such as `Firefox on Windows`; null if unknown. */
  @Expose() @Schema({ type: ['string', 'null'], examples: ['Firefox on Windows'] }) device!: string | null;
  /** The creation time in ISO 8601, UTC, with milliseconds. */
  @Expose() createdAt!: Date;
  /** The time of the last refresh: ISO 8601, UTC, milliseconds. */
  @Expose() lastUsedAt!: Date;
  /** The expiry without a further refresh: ISO 8601, UTC, milliseconds. */
  @Expose() expiresAt!: Date;
}
