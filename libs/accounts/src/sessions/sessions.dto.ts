import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** What keeps a session alive. */
export class RefreshRequest {
  @IsString() refresh_token!: string;
}

/** What opening and refreshing a session gives. */
@Exclude()
export class SessionTokens {
  /** Compact JWS, to be sent as `Authorization: Bearer …`. */
  @Expose() access_token!: string;
  /** Good for one turn at `POST /auth/refresh`. */
  @Expose() refresh_token!: string;
}

/** A session as its owner and operators see it. */
@Exclude()
export class Session {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Where it was opened from. */
  @Expose() ip!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** ISO 8601, UTC, milliseconds: when its last refresh token was given out. */
  @Expose() lastUsedAt!: Date;
  /** ISO 8601, UTC, milliseconds: when it ends unless it is refreshed before. */
  @Expose() expiresAt!: Date;
}
