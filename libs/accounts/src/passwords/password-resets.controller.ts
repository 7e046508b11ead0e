import { TooManyResetsError, InvalidResetTokenError, UnchangedPasswordError } from '../errors';
import { CommonPasswordError, SignInOverloadError, Public } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { CompletePasswordReset, RequestPasswordReset } from './passwords.dto';
import { PasswordResets } from './password-resets';
import { ResetCompletion } from './reset-completion';

/** New passwords for owners who forgot theirs. */
@Controller('auth/password-resets')
@Public()
export class PasswordResetsController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly completion: ResetCompletion,
  ) {}

  /** Sends the account a mail with which its owner sets a new password. The response is the same whether or not the account exists. */
  @Post()
  @HttpCode(202)
  @Returns('nothing')
  @ErrorResponses(TooManyResetsError, 503)
  async request(@Body() { username }: RequestPasswordReset, @Ip() ip: string): Promise<void> {
    await this.resets.request(username, ip);
  }

  /** Sets a new password with the token of a reset, and revokes all access to the account. */
  @Post('complete')
  @HttpCode(204)
  @ErrorResponses(CommonPasswordError, InvalidResetTokenError, UnchangedPasswordError, SignInOverloadError)
  async complete(@Body() { token, password }: CompletePasswordReset, @Ip() ip: string): Promise<void> {
    await this.completion.complete(token, password, ip);
  }
}
