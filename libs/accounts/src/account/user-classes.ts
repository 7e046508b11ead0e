import {
  IfGiven,
  NoControlCharacters,
  NoLongerThan,
  type ProblemClass,
  Schema,
  schemaOf,
} from '@app/contract';
import { type InputClass, readRules, type WireClass } from '@app/engine';
import { Exclude, Expose } from 'class-transformer';
import { IsBoolean, IsEmail, IsString, MinLength } from 'class-validator';
import { EmailConflictError, ProfileConflictError } from '../errors';
import type { ProfileShape } from '../profiles/profile-shape';
import type { AccountRoles } from './account-roles';

/** What the routes of users accept and send, as the application extends it. */
export interface UserClasses {
  /** The names of all roles. */
  readonly roles: readonly string[];
  /** The names of all scopes of API keys. */
  readonly scopes: readonly string[];
  /** A view of a user. */
  readonly User: WireClass<UserView>;
  /** Sign-up (group `create`) and change (group `update`). */
  readonly UserDto: InputClass<UserBody>;
  /** The echo of a validated body. */
  readonly UserEcho: WireClass<{ email: string }>;
  /** The response to a sign-up. */
  readonly SignedUp: WireClass<{ ok?: true; email: string }>;
  /** What a body may have in common with another account, which is an error. */
  readonly conflicts: readonly ProblemClass[];
}

/** What a view has of a user. */
export interface UserView {
  id: number;
  email: string;
  role: string;
  lastLoginIp: string | null;
}

/** What a body has of a user. */
export interface UserBody {
  email: string;
  password: string;
  /** Of the caller, in a change. */
  currentPassword?: string;
  /** Keeps API keys and factors when an administrator sets the password. */
  keepFactors?: boolean;
}

/** Makes the classes of one program. The fields of a profile are inherited, with what is declared of them. */
export function userClasses(
  { names: roles }: AccountRoles,
  scopes: readonly string[],
  profile?: ProfileShape,
): UserClasses {
  const Base: InputClass = profile?.type ?? NoProfile;

  /** A user. Administrators get the fields in group `admin`, other callers the fields in group `user`. */
  @Exclude()
  class User extends Base implements UserView {
    @Expose({ groups: ['user', 'admin'] }) @Schema({ type: 'integer' }) id!: number;
    /** The e-mail as entered, compared case-insensitively. */
    @Expose({ groups: ['user', 'admin'] }) email!: string;
    @Expose({ groups: ['admin'] }) @Schema({ enum: roles }) role!: string;
    /** The client's address at the last successful sign-in; null before the first sign-in. */
    @Expose({ groups: ['admin'] }) @Schema({ type: ['string', 'null'] }) lastLoginIp!: string | null;
  }

  /** Sign-up (group `create`) and change (group `update`). */
  class UserDto extends Base implements UserBody {
    @NoControlCharacters({ groups: ['create', 'update'] })
    @IsEmail({}, { groups: ['create', 'update'] })
    email!: string;

    /** 8 to 256 characters, compared in Unicode NFC; optional in group `update`. */
    @IfGiven({ groups: ['update'] })
    @MinLength(8, { groups: ['create', 'update'] })
    @NoLongerThan(256, { groups: ['create', 'update'] })
    password!: string;

    /**
     * The caller's current password, sent with a new `password`. Required with `PASSWORD_CHANGE=current`, and checked
     * whenever it is sent.
     */
    @IfGiven({ groups: ['update'] })
    @IsString({ groups: ['update'] })
    @NoLongerThan(256, { groups: ['update'] })
    currentPassword?: string;

    /** Keeps the user's API keys and factors when an administrator sets a new `password`; by default they end. */
    @IfGiven({ groups: ['update'] })
    @IsBoolean({ groups: ['update'] })
    keepFactors?: boolean;
  }

  /** The echo of a validated body, without the password. */
  @Exclude()
  class UserEcho extends Base {
    @Expose() @Schema({}, { isOptional: profile !== undefined }) email!: string;
  }

  /** The response to a sign-up: minimal by default, or the echoed body. */
  @Exclude()
  class SignedUp extends Base {
    /** Always `true`, in the minimal response. */
    @Expose() @Schema({ const: true }, { isOptional: true }) ok?: true;
    @Expose() email!: string;
  }

  if (profile) {
    const { sent, accepted } = profile;
    mayLack(
      User,
      sent.filter((field) => !profile.isNullable(field)),
    );
    for (const echo of [UserEcho, SignedUp]) mayLack(echo, sent);
    mayOmit(UserDto, 'update');
    acceptFromAll(UserDto, accepted);
  }
  const conflicts = profile ? [EmailConflictError, ProfileConflictError] : [EmailConflictError];
  return { roles, scopes, User, UserDto, UserEcho, SignedUp, conflicts };
}

class NoProfile {}

/** Responses may lack the fields: those of an account without a profile, or that a body did not have. */
function mayLack(type: InputClass, fields: readonly string[]): void {
  for (const field of fields) {
    const { keywords = {} } = schemaOf(type, field) ?? {};
    Schema(keywords, { isOptional: true })(type.prototype, field);
  }
}

/** What is accepted in a group is optional in it. */
function mayOmit(type: InputClass, group: string): void {
  const { properties } = readRules(type, { groups: [group] });
  for (const { name } of properties) IfGiven({ groups: [group] })(type.prototype, name);
}

/** The groups of `@Expose` say who is sent a field, not who sends it. */
function acceptFromAll(type: InputClass, fields: readonly string[]): void {
  for (const field of fields) Expose({ toPlainOnly: true })(type.prototype, field);
}
