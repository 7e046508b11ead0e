import { Caller, CommonPasswordError, DirectSignIn, Public, SignInOverloadError } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import type { SignedInUser } from '../access/access-check';
import {
  EmailConflictError,
  InvalidEmailLinkError,
  NoPendingVerificationError,
  TooManyEmailLinksError,
} from '../errors';
import { EmailConfirmation } from './email-confirmation';
import { EmailUndo } from './email-undo';
import { CompleteEmailVerification, UndoEmailChange } from './email-verification.dto';

/** E-mails that their owners confirm. */
@Controller('auth')
export class EmailVerificationsController {
  constructor(
    private readonly confirmation: EmailConfirmation,
    private readonly changes: EmailUndo,
  ) {}

  /** Sends the caller the link again: to the e-mail that was requested last, if it is not verified yet. */
  @Post('email-verifications')
  @DirectSignIn()
  @HttpCode(202)
  @Returns('nothing')
  @ErrorResponses(NoPendingVerificationError, TooManyEmailLinksError)
  async sendAgain(@Caller() { userId }: SignedInUser, @Ip() ip: string): Promise<void> {
    await this.confirmation.sendAgain(userId, ip);
  }

  /** Confirms an e-mail of the caller with the token of a mail. A new e-mail is that of the account from now on. */
  @Post('email-verifications/complete')
  @DirectSignIn()
  @HttpCode(204)
  @ErrorResponses(InvalidEmailLinkError, EmailConflictError)
  async complete(
    @Body() { token }: CompleteEmailVerification,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    await this.confirmation.complete(token, caller, ip);
  }

  /** Undoes a change of the e-mail with the token of the mail about it: sets a new password, and revokes all access. */
  @Post('email-changes/undo')
  @Public()
  @HttpCode(204)
  @ErrorResponses(CommonPasswordError, InvalidEmailLinkError, EmailConflictError, SignInOverloadError)
  async undo(@Body() { token, password }: UndoEmailChange, @Ip() ip: string): Promise<void> {
    await this.changes.undo(token, password, ip);
  }
}
