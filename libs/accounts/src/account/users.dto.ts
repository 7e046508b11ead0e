import { NoControlCharacters, NoLongerThan } from '@app/contract';
import { IsEmail, MinLength } from 'class-validator';

/** The credentials for an account that an operator creates. */
export class UserCreate {
  @NoControlCharacters()
  @IsEmail()
  email!: string;

  /** The password: 8 to 256 characters, compared in Unicode NFC. */
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

  /** Returns the first and the last name, joined by a space. */
  fullName(): string {
    return `${this.firstName} ${this.lastName}`;
  }
}
