import { TooManyResetsError, InvalidResetTokenError, UnchangedPasswordError } from '../errors';
import { CommonPasswordError, SignInOverloadError, Public } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { CompletePasswordReset, RequestPasswordReset } from './passwords.dto';
import { PasswordResets } from './password-resets';
import { ResetCompletion } from './reset-completion';

/** Password resets by mail. */
@Controller('auth/password-resets')
@Public()
export class PasswordResetsController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly completion: ResetCompletion,
  ) {}

  /** Mails a link that sets a new password. The response is the same for unknown accounts. */
  @Post()
  @HttpCode(202)
  @Returns('nothing')
  @ErrorResponses(TooManyResetsError, 503)
  async request(@Body() { username }: RequestPasswordReset, @Ip() ip: string): Promise<void> {
    await this.resets.request(username, ip);
  }

  /** Sets a new password with a reset token and revokes all access to the account. */
  @Post('complete')
  @HttpCode(204)
  @ErrorResponses(CommonPasswordError, InvalidResetTokenError, UnchangedPasswordError, SignInOverloadError)
  async complete(@Body() { token, password }: CompletePasswordReset, @Ip() ip: string): Promise<void> {
    await this.completion.complete(token, password, ip);
  }
}
