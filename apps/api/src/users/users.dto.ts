import { Exclude, Expose } from 'class-transformer';

/** The answer to a sign-up: short by default, or the validated body without its password. */
@Exclude()
export class SignedUp {
  /** Only in the short answer. */
  @Expose() ok?: true;
  @Expose() email!: string;
}
