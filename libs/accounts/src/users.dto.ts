import { IfGiven, NoLongerThan } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsEmail, MinLength } from 'class-validator';

/** A user as they cross the wire: to others and themselves in group `user`, to administrators in group `admin`. */
@Exclude()
export class User {
  @Expose({ groups: ['user', 'admin'] }) @Schema({ type: 'integer' }) id!: number;
  /** As it was given at sign-up, not as it is compared. */
  @Expose({ groups: ['user', 'admin'] }) email!: string;
  @Expose({ groups: ['admin'] }) @Schema({ enum: ['user', 'admin'] }) role!: string;
  /** Address of the last successful sign-in; null before the first. */
  @Expose({ groups: ['admin'] }) @Schema({ type: ['string', 'null'] }) lastLoginIp!: string | null;
}

/** Sign-up (group `create`) and change (group `update`). */
export class UserDto {
  @IsEmail({}, { groups: ['create', 'update'] })
  email!: string;

  /** 8 to 256 characters, compared exactly as sent; in group `update` it may be absent. */
  @IfGiven({ groups: ['update'] })
  @MinLength(8, { groups: ['create', 'update'] })
  @NoLongerThan(256, { groups: ['create', 'update'] })
  password!: string;
}

/** An account made by hand: its credentials, in the words of {@link UserDto}. */
export class UserCreate {
  @IsEmail()
  email!: string;

  /** 8 to 256 characters, compared exactly as sent. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;
}

/** What operators give for a new account: credentials and a person's name. */
export class NamedUserCreate extends UserCreate {
  @MinLength(2)
  @NoLongerThan(100)
  firstName!: string;

  @MinLength(2)
  @NoLongerThan(100)
  lastName!: string;

  /** First and last name with a space between them. */
  fullName(): string {
    return `${this.firstName} ${this.lastName}`;
  }
}
