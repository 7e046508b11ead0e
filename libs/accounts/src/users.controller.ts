import { missing } from '@app/http-errors';
import {
  Caller,
  CommonPasswordError,
  DirectSignIn,
  Public,
  Recent,
  Roles,
  SignInOverloadError,
} from '@app/auth';
import { ById, ErrorResponses, Returns, Tag } from '@app/contract';
import { inGroups } from '@app/engine';
import { Page, PaginationQuery, paginate } from '@app/paging';
import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Ip,
  Param,
  Patch,
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Accounts } from './accounts';
import { AccountsStore, type UserRow } from './account/accounts.store';
import { Administration } from './administrators/administration';
import {
  CurrentPasswordError,
  LastAdministratorError,
  TooManyAttemptsError,
  TooManyEmailLinksError,
  TooManySignUpsError,
} from './errors';
import { actorOf } from './access/actor';
import type { SignedInUser } from './access/access-check';
import { SignUp } from './sign-up';
import { sendActiveKeys } from './sessions/revoke-sessions';
import type { UserBody, UserClasses } from './account/user-classes';
import { UserViews } from './account/user-views';
import { apiKeysController } from './api-keys/api-keys.controller';
import { ExportController } from './export/export.controller';

/** Makes the user controllers: sign-up, `/users/me` and its export, and API keys. */
export function userControllers(classes: UserClasses): readonly Type[] {
  return [signUpController(classes), usersController(classes), ExportController, apiKeysController(classes)];
}

/** Makes the sign-up controller: `POST /users`. */
export function signUpController({ UserDto, SignedUp, conflicts, refusals }: UserClasses): Type {
  /** Sign-up. */
  @Controller('users')
  class SignUpController {
    constructor(private readonly signUp: SignUp) {}

    /** Signs up. With `Prefer: return=representation` the response echoes the validated body except for the password. */
    @Post()
    @Public()
    @Returns(SignedUp)
    @ErrorResponses(CommonPasswordError, ...refusals, ...conflicts, TooManySignUpsError, 503)
    async create(
      @Body(inGroups(UserDto, 'create')) body: UserBody,
      @Headers('prefer') prefer: string | undefined,
      @Ip() ip: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<{ ok?: true; email: string }> {
      const { email, password, invitation } = body;
      const credentials = { email, password, profile: body, invitation };
      const { id } = await this.signUp.create(credentials, { client: { ip } });
      void reply.header('Location', `/users/${id}`);
      if (!prefersRepresentation(prefer)) return { ok: true, email };
      void reply.header('Preference-Applied', 'return=representation');
      return body;
    }
  }
  return SignUpController;
}

/** Makes the user controller: the caller's own account, and the accounts that administrators manage. */
export function usersController({ User, UserDto, UserEcho, conflicts }: UserClasses): Type {
  /** The caller's own account, and the users. */
  @Tag('users', "Sign-up, and the caller's account with its picture and export.")
  @Controller('users')
  class UsersController {
    constructor(
      private readonly accounts: Accounts,
      private readonly store: AccountsStore,
      private readonly views: UserViews,
      private readonly administration: Administration,
    ) {}

    /** Lists all users. */
    @Get()
    @Roles('admin')
    @Returns(Page(User), { groups: ['admin'] })
    async list(@Query() query: PaginationQuery, @Res({ passthrough: true }) reply: FastifyReply) {
      return paginate(query, reply, async (slice) => this.views.all(await this.store.list(slice)));
    }

    /** Returns the caller. */
    @Get('me')
    @Returns(User, { groups: ['user'] })
    @ErrorResponses(404)
    async me(@Caller() { userId }: SignedInUser): Promise<UserRow> {
      return (await this.views.one(await this.store.findUser(userId))) ?? missing('user', userId);
    }

    /** Deletes the caller's account with its sessions, API keys and personal data. The last administrator cannot be deleted. */
    @Delete('me')
    @DirectSignIn(false)
    @Recent('15m')
    @HttpCode(204)
    @ErrorResponses(404, LastAdministratorError)
    async leave(@Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
      const { userId } = caller;
      if (!(await this.administration.remove(userId, { client: { ip }, caller }))) missing('user', userId);
    }

    /** Returns the caller with the fields for administrators. */
    @Get('admin')
    @Roles('admin')
    @Returns(User, { groups: ['admin'] })
    @ErrorResponses(404)
    async meAsAdministrator(@Caller() { userId }: SignedInUser): Promise<UserRow> {
      return (await this.views.one(await this.store.findUser(userId))) ?? missing('user', userId);
    }

    /** Returns a user. Users may read their own account, administrators any account. */
    @Get(':id')
    @Returns(User, { groups: ['user'] })
    async read(@Param() { id }: ById, @Caller() caller: SignedInUser): Promise<UserRow> {
      if (!maySee(caller, id)) missing('user', id);
      return (await this.views.one(await this.store.findUser(id))) ?? missing('user', id);
    }

    /**
     * Changes a user's e-mail or password. A new password ends the user's other sessions, and the header `Active-API-Keys`
     * counts the API keys that still work. A password set by an administrator also ends API keys, passkeys and other factors,
     * unless the body has `keepFactors`.
     */
    @Patch(':id')
    @DirectSignIn()
    @Recent('15m')
    @Returns(UserEcho)
    @ErrorResponses(
      CommonPasswordError,
      CurrentPasswordError,
      ...conflicts,
      TooManyAttemptsError,
      TooManyEmailLinksError,
      SignInOverloadError,
    )
    async update(
      @Param() { id }: ById,
      @Body(inGroups(UserDto, 'update')) body: UserBody,
      @Caller() caller: SignedInUser,
      @Ip() ip: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<UserBody> {
      if (!maySee(caller, id)) missing('user', id);
      const { email, password, currentPassword, keepFactors } = body;
      const change = { email, password, currentPassword, keepFactors, profile: body };
      const changed = (await this.accounts.change(id, change, actorOf(caller, ip))) ?? missing('user', id);
      if (changed.activeKeys !== undefined) sendActiveKeys(reply, changed.activeKeys);
      return body;
    }
  }
  return UsersController;
}

/** Returns whether the caller may see a user. Other callers get 404 instead of 403, so that ids cannot be probed (D2). */
function maySee({ userId, role }: SignedInUser, id: number): boolean {
  return userId === id || role === 'admin';
}

/**
 * Returns whether the caller prefers the full representation to the minimal response.
 *
 * @param header the `Prefer` header, repeated fields joined by commas
 * @see RFC 7240 §2: case-insensitive tokens, a preference's first occurrence applies
 */
export function prefersRepresentation(header: string | undefined): boolean {
  const preference = header
    ?.split(',')
    .map((part) => part.split(';', 1)[0].replaceAll(/[\s"]/g, '').toLowerCase())
    .find((part) => part.startsWith('return='));
  return preference === 'return=representation';
}
