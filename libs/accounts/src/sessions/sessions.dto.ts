import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** The body of a refresh. */
export class RefreshRequest {
  @IsString() refresh_token!: string;
}

/** The tokens of a session. */
@Exclude()
export class SessionTokens {
  /** Compact JWS for `Authorization: Bearer …`. */
  @Expose() access_token!: string;
  /** For one use at `POST /auth/refresh`. */
  @Expose() refresh_token!: string;
}

/** A session. */
@Exclude()
export class Session {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Remote address of the sign-in. */
  @Expose() ip!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** ISO 8601, UTC, milliseconds: when its last refresh token was issued. */
  @Expose() lastUsedAt!: Date;
  /** ISO 8601, UTC, milliseconds: when it expires unless it is refreshed. */
  @Expose() expiresAt!: Date;
}
