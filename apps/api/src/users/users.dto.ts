import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';

/** The echo of a validated body, without the password. */
@Exclude()
export class UserEcho {
  @Expose() email!: string;
}

/** The response to a sign-up: minimal by default, or the echo of the body. */
@Exclude()
export class SignedUp {
  /** Only in the minimal response. */
  @Expose() @Schema({ const: true }, { isOptional: true }) ok?: true;
  @Expose() email!: string;
}
