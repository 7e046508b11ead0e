import type { WireClass } from '@app/serialization';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import type { AccountRoles } from './account-roles';

/** What the routes of users accept and send, as the application extends it. */
export interface UserClasses {
  /** The names of all roles. */
  readonly roles: readonly string[];
  /** A view of a user. */
  readonly User: WireClass<UserView>;
}

/** A user; administrators get the fields of group `admin`, others those of group `user`. */
export interface UserView {
  id: number;
  email: string;
  role: string;
  lastLoginIp: string | null;
}

/** Makes the classes of one program. */
export function userClasses({ names: roles }: AccountRoles): UserClasses {
  /** A user; administrators get the fields of group `admin`, others those of group `user`. */
  @Exclude()
  class User implements UserView {
    @Expose({ groups: ['user', 'admin'] }) @Schema({ type: 'integer' }) id!: number;
    /** As entered; compared without regard to case. */
    @Expose({ groups: ['user', 'admin'] }) email!: string;
    @Expose({ groups: ['admin'] }) @Schema({ enum: roles }) role!: string;
    /** Remote address of the last successful sign-in; null before the first. */
    @Expose({ groups: ['admin'] }) @Schema({ type: ['string', 'null'] }) lastLoginIp!: string | null;
  }

  return { roles, User };
}
