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

/** E-mail verification. */
@Controller('auth')
export class EmailVerificationsController {
  constructor(
    private readonly confirmation: EmailConfirmation,
    private readonly changes: EmailUndo,
  ) {}

  /** Mails the verification link again, to the e-mail that the caller requested last. */
  @Post('email-verifications')
  @DirectSignIn()
  @HttpCode(202)
  @Returns('nothing')
  @ErrorResponses(NoPendingVerificationError, TooManyEmailLinksError)
  async sendAgain(@Caller() { userId }: SignedInUser, @Ip() ip: string): Promise<void> {
    await this.confirmation.sendAgain(userId, ip);
  }

  /** Confirms the caller's e-mail with the mailed token. A changed e-mail takes effect now. */
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

  /** Undoes an e-mail change with the token from the notification mail, sets a new password, and revokes all access. */
  @Post('email-changes/undo')
  @Public()
  @HttpCode(204)
  @ErrorResponses(CommonPasswordError, InvalidEmailLinkError, EmailConflictError, SignInOverloadError)
  async undo(@Body() { token, password }: UndoEmailChange, @Ip() ip: string): Promise<void> {
    await this.changes.undo(token, password, ip);
  }
}
