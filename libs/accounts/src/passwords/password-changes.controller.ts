import {
  BeforePasswordChange,
  Caller,
  CommonPasswordError,
  DirectSignIn,
  Recent,
  SignInOverloadError,
} from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { missing } from '@app/http-errors';
import { Body, Controller, HttpCode, Ip, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { actorOf } from '../access/actor';
import type { SignedInUser } from '../access/access-check';
import { Accounts } from '../accounts';
import {
  CurrentPasswordError,
  PasswordSignInRequiredError,
  TooManyAttemptsError,
  UnchangedPasswordError,
} from '../errors';
import { sendActiveKeys } from '../sessions/revoke-sessions';
import { ChangePassword } from './passwords.dto';

/** Password changes by the caller. */
@Controller('auth/password-changes')
export class PasswordChangesController {
  constructor(private readonly accounts: Accounts) {}

  /**
   * Sets the caller's new password and ends the account's other sessions. The header `Active-API-Keys` counts the API keys
   * that still work.
   */
  @Post()
  @DirectSignIn()
  @BeforePasswordChange()
  @Recent('15m')
  @HttpCode(204)
  @ErrorResponses(
    404,
    CommonPasswordError,
    CurrentPasswordError,
    PasswordSignInRequiredError,
    TooManyAttemptsError,
    UnchangedPasswordError,
    SignInOverloadError,
  )
  async create(
    @Body() { password, currentPassword }: ChangePassword,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { userId } = caller;
    const changed = await this.accounts.change(userId, { password, currentPassword }, actorOf(caller, ip));
    sendActiveKeys(reply, (changed ?? missing('user', userId)).activeKeys ?? 0);
  }
}
