import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';

/** A validated body as it is echoed: without its password. */
@Exclude()
export class UserEcho {
  @Expose() email!: string;
}

/** The answer to a sign-up: short by default, or the echo of its body. */
@Exclude()
export class SignedUp {
  /** Only in the short answer. */
  @Expose() @Schema({ const: true }, { isOptional: true }) ok?: true;
  @Expose() email!: string;
}
