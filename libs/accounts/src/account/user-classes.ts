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
import { EmailConflictError, InvitationRequiredError, ProfileConflictError, SignUpOffError } from '../errors';
import type { ProfileShape } from '../profiles/profile-shape';
import type { AccountRoles } from './account-roles';

/** The wire classes that user routes accept and send, with the fields that the application adds. */
export interface UserClasses {
  /** The role names. */
  readonly roles: readonly string[];
  /** The API key scope names. */
  readonly scopes: readonly string[];
  /** A user view. */
  readonly User: WireClass<UserView>;
  /** The body for sign-up (group `create`) and for changes (group `update`). */
  readonly UserDto: InputClass<UserBody>;
  /** The echo of a validated body. */
  readonly UserEcho: WireClass<{ email: string }>;
  /** The response to a sign-up. */
  readonly SignedUp: WireClass<{ ok?: true; email: string }>;
  /** The problem classes for a body with a unique value that belongs to a different account. */
  readonly conflicts: readonly ProblemClass[];
  /** The problem classes for a sign-up that `SIGN_UP` refuses. */
  readonly refusals: readonly ProblemClass[];
}

/** The user fields that a view has. */
export interface UserView {
  id: number;
  email: string;
  role: string;
  lastLoginIp: string | null;
}

/** The user fields that a body has. */
export interface UserBody {
  email: string;
  password: string;
  /** The caller's current password, sent along with a new password. */
  currentPassword?: string;
  /** Keeps API keys and factors when an administrator sets the password. */
  keepFactors?: boolean;
  /** The sign-up invitation's secret. */
  invitation?: string;
}

/**
 * Makes a program's wire classes. They inherit the profile fields and their declarations.
 *
 * @param hasInvitations whether a plugin invites users, so that a sign-up can carry an `invitation`
 */
export function userClasses(
  { names: roles }: AccountRoles,
  scopes: readonly string[],
  { profile, hasInvitations = false }: { profile?: ProfileShape; hasInvitations?: boolean } = {},
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

  /** The body for sign-up (group `create`) and for changes (group `update`). */
  class UserDto extends Base implements UserBody {
    @NoControlCharacters({ groups: ['create', 'update'] })
    @IsEmail({}, { groups: ['create', 'update'] })
    email!: string;

    /** The password: 8 to 256 characters, compared in Unicode NFC; optional in group `update`. */
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

  if (hasInvitations) acceptInvitation(UserDto);
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
  const refusals = hasInvitations ? [InvitationRequiredError, SignUpOffError] : [SignUpOffError];
  return { roles, scopes, User, UserDto, UserEcho, SignedUp, conflicts, refusals };
}

/** Adds the `invitation` of a sign-up to its body. */
function acceptInvitation({ prototype }: InputClass): void {
  const groups = ['create'];
  IfGiven({ groups })(prototype, 'invitation');
  IsString({ groups })(prototype, 'invitation');
  NoLongerThan(256, { groups })(prototype, 'invitation');
}

class NoProfile {}

/** Marks fields as optional in responses, because an account may have no profile and a body may lack the fields. */
function mayLack(type: InputClass, fields: readonly string[]): void {
  for (const field of fields) {
    const { keywords = {} } = schemaOf(type, field) ?? {};
    Schema(keywords, { isOptional: true })(type.prototype, field);
  }
}

/** Makes each property that a group accepts optional in that group. */
function mayOmit(type: InputClass, group: string): void {
  const { properties } = readRules(type, { groups: [group] });
  for (const { name } of properties) IfGiven({ groups: [group] })(type.prototype, name);
}

/** Accepts the fields from every caller, because the groups of `@Expose` only say who is sent a field. */
function acceptFromAll(type: InputClass, fields: readonly string[]): void {
  for (const field of fields) Expose({ toPlainOnly: true })(type.prototype, field);
}
