import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';

/** The echo of a validated body, without its password. */
@Exclude()
export class UserEcho {
  @Expose() email!: string;
}

/** The response to a sign-up: short by default, or the echo of its body. */
@Exclude()
export class SignedUp {
  /** Only in the short response. */
  @Expose() @Schema({ const: true }, { isOptional: true }) ok?: true;
  @Expose() email!: string;
}
