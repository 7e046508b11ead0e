import { missing } from '@app/http-errors';
import { Caller, DirectSignIn, Recent, Roles } from '@app/auth';
import { ById, ErrorResponses, IfGiven, NoLongerThan, Returns, Tag } from '@app/contract';
import { Page, PaginationQuery, paginate } from '@app/paging';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Ip,
  Param,
  Patch,
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import { IsBoolean, IsIn, IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { Administration } from '../administrators/administration';
import { EmailConflictError, LastAdministratorError } from '../errors';
import { NamedUserCreate } from '../account/users.dto';
import { actorOf } from '../access/actor';
import type { SignedInUser } from '../access/access-check';
import { SignUp } from '../sign-up';
import type { UserClasses } from '../account/user-classes';
import { UserViews } from '../account/user-views';
import { ApiKeysController } from './operator-api-keys.controller';
import { AuditController } from './audit.controller';
import { OutboxController } from './outbox.controller';
import { SessionsController } from './operator-sessions.controller';
import { UserFactorsController } from './operator-factors.controller';
import { operatorsUser } from './operator-users.dto';

/** Makes the operator controllers: users, their sessions, keys and second factors, the audit log and the outbox. */
export function operatorControllers(classes: UserClasses): readonly Type[] {
  return [
    operatorUsersController(classes),
    ApiKeysController,
    AuditController,
    OutboxController,
    SessionsController,
    UserFactorsController,
  ];
}

class UsersQuery extends PaginationQuery {
  /**
   * An e-mail in any spelling; the list then has this user alone.
   *
   * @example ada@example.com
   */
  @IfGiven()
  @IsString()
  @NoLongerThan(254)
  email?: string;
}

/** Makes the account controller for administrators. */
export function operatorUsersController(classes: UserClasses): Type {
  const OperatorsUser = operatorsUser(classes);

  /** A new role or status. Absent fields stay unchanged. */
  class ChangeAccountState {
    @IfGiven()
    @IsIn(classes.roles)
    role?: string;

    @IfGiven()
    @IsBoolean()
    disabled?: boolean;
  }

  /** The users, for administrators. */
  @Tag('users', 'The users with their API keys, factors and sessions, for administrators.')
  @Controller('users')
  @Roles('admin')
  class UsersController {
    constructor(
      private readonly signUp: SignUp,
      private readonly store: AccountsStore,
      private readonly views: UserViews,
      private readonly administration: Administration,
    ) {}

    /** Lists all users, or the user with the e-mail in `email`. */
    @Get()
    @Returns(Page(OperatorsUser), { groups: ['admin'] })
    async list(@Query() query: UsersQuery, @Res({ passthrough: true }) reply: FastifyReply) {
      return paginate(query, reply, async (slice) => this.views.all(await this.store.list(slice, query)));
    }

    /** Returns a user. */
    @Get(':id')
    @Returns(OperatorsUser, { groups: ['admin'] })
    async read(@Param() { id }: ById): Promise<AccountRow> {
      return (await this.views.one(await this.store.findById(id))) ?? missing('user', id);
    }

    /** Creates a user with a name. */
    @Post()
    @DirectSignIn()
    @Returns(OperatorsUser, { groups: ['admin'] })
    @ErrorResponses(EmailConflictError)
    async create(
      @Body() body: NamedUserCreate,
      @Caller() caller: SignedInUser,
      @Ip() ip: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<AccountRow> {
      const { email, password, firstName, lastName } = body;
      const names = { firstName, lastName, fullName: body.fullName() };
      const account = await this.signUp.create({ email, password, ...names }, actorOf(caller, ip));
      void reply.header('Location', `/users/${account.id}`);
      return this.views.one(account);
    }

    /** Changes a user's role, or disables or enables the account. */
    @Patch(':id')
    @DirectSignIn()
    @Recent('15m')
    @Returns(OperatorsUser, { groups: ['admin'] })
    @ErrorResponses(LastAdministratorError)
    async change(
      @Param() { id }: ById,
      @Body() { role, disabled }: ChangeAccountState,
      @Caller() caller: SignedInUser,
      @Ip() ip: string,
    ): Promise<AccountRow> {
      const account = await this.administration.change(id, { role, disabled }, actorOf(caller, ip));
      return (await this.views.one(account)) ?? missing('user', id);
    }

    /** Deletes a user with all sessions and keys. */
    @Delete(':id')
    @DirectSignIn(false)
    @Recent('15m')
    @HttpCode(204)
    @ErrorResponses(LastAdministratorError)
    async remove(@Param() { id }: ById, @Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
      if (!(await this.administration.remove(id, actorOf(caller, ip)))) missing('user', id);
    }
  }

  return UsersController;
}
