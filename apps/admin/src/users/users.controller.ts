import {
  AccountsStore,
  Administration,
  EmailTakenError,
  LastAdministratorError,
  NamedUserCreate,
  type SignedInUser,
  SignUp,
} from '@app/accounts';
import { Caller, Roles } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { Page, PaginationQuery, paginate } from '@app/paging';
import type { AccountRow } from '@app/persistence';
import { Answers } from '@app/serialization';
import { missing } from '@app/service';
import { ById } from '@app/validation';
import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ChangeAccountState, OperatorsUser } from './users.dto';

/** Accounts, for administrators. */
@Controller('users')
@Roles('admin')
export class UsersController {
  constructor(
    private readonly signUp: SignUp,
    private readonly store: AccountsStore,
    private readonly administration: Administration,
  ) {}

  /** Lists all users. */
  @Get()
  @Answers(Page(OperatorsUser), { groups: ['admin'] })
  async list(@Query() query: PaginationQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => this.store.list(slice));
  }

  /** Returns a user. */
  @Get(':id')
  @Answers(OperatorsUser, { groups: ['admin'] })
  async read(@Param() { id }: ById): Promise<AccountRow> {
    return (await this.store.findById(id)) ?? missing('user', id);
  }

  /** Creates a user with a name. */
  @Post()
  @Answers(OperatorsUser, { groups: ['admin'] })
  @ErrorResponses(EmailTakenError)
  async create(
    @Body() body: NamedUserCreate,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountRow> {
    const { email, password, firstName, lastName } = body;
    const account = await this.signUp.create({
      email,
      password,
      firstName,
      lastName,
      fullName: body.fullName(),
    });
    void reply.header('Location', `/users/${account.id}`);
    return account;
  }

  /** Changes the role of a user, or disables or enables the account. */
  @Patch(':id')
  @Answers(OperatorsUser, { groups: ['admin'] })
  @ErrorResponses(LastAdministratorError)
  async change(
    @Param() { id }: ById,
    @Body() { role, disabled }: ChangeAccountState,
    @Caller() { userId: actorId }: SignedInUser,
    @Ip() ip: string,
  ): Promise<AccountRow> {
    const account = await this.administration.change(id, { role, disabled }, { actorId, ip });
    return account ?? missing('user', id);
  }

  /** Deletes a user, with sessions and keys. */
  @Delete(':id')
  @HttpCode(204)
  @ErrorResponses(LastAdministratorError)
  async remove(
    @Param() { id }: ById,
    @Caller() { userId: actorId }: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    if (!(await this.administration.remove(id, { actorId, ip }))) missing('user', id);
  }
}
