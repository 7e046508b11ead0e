import { IfGiven, NoControlCharacters, NoLongerThan } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsEmail, MinLength } from 'class-validator';

/** A user; administrators get the fields of group `admin`, others those of group `user`. */
@Exclude()
export class User {
  @Expose({ groups: ['user', 'admin'] }) @Schema({ type: 'integer' }) id!: number;
  /** As entered; compared without regard to case. */
  @Expose({ groups: ['user', 'admin'] }) email!: string;
  @Expose({ groups: ['admin'] }) @Schema({ enum: ['user', 'admin'] }) role!: string;
  /** Remote address of the last successful sign-in; null before the first. */
  @Expose({ groups: ['admin'] }) @Schema({ type: ['string', 'null'] }) lastLoginIp!: string | null;
}

/** Sign-up (group `create`) and change (group `update`). */
export class UserDto {
  @NoControlCharacters({ groups: ['create', 'update'] })
  @IsEmail({}, { groups: ['create', 'update'] })
  email!: string;

  /** 8 to 256 characters, compared exactly as sent; optional in group `update`. */
  @IfGiven({ groups: ['update'] })
  @MinLength(8, { groups: ['create', 'update'] })
  @NoLongerThan(256, { groups: ['create', 'update'] })
  password!: string;
}

/** Credentials of an account that an operator creates. */
export class UserCreate {
  @NoControlCharacters()
  @IsEmail()
  email!: string;

  /** 8 to 256 characters, compared exactly as sent. */
  @MinLength(8)
  @NoLongerThan(256)
  password!: string;
}

/** A new account with the user's name. */
export class NamedUserCreate extends UserCreate {
  @MinLength(2)
  @NoLongerThan(100)
  firstName!: string;

  @MinLength(2)
  @NoLongerThan(100)
  lastName!: string;

  /** First and last name, joined by a space. */
  fullName(): string {
    return `${this.firstName} ${this.lastName}`;
  }
}
