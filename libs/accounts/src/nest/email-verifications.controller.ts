import { Caller, CommonPasswordError, HashingBusyError, Public } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { Answers } from '@app/serialization';
import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import type { SignedInUser } from '../access-check';
import {
  EmailTakenError,
  InvalidEmailLinkError,
  NothingToVerifyError,
  TooManyEmailLinksError,
} from '../errors';
import { EmailConfirmation } from '../email-verification/email-confirmation';
import { EmailUndo } from '../email-verification/email-undo';
import { CompleteEmailVerification, UndoEmailChange } from '../email-verification/email-verification.dto';

/** E-mails that their owners confirm. */
@Controller('auth')
export class EmailVerificationsController {
  constructor(
    private readonly confirmation: EmailConfirmation,
    private readonly changes: EmailUndo,
  ) {}

  /** Sends the caller the link again: to the e-mail that was asked for last, if it is not verified yet. */
  @Post('email-verifications')
  @HttpCode(202)
  @Answers('nothing')
  @ErrorResponses(NothingToVerifyError, TooManyEmailLinksError)
  async sendAgain(@Caller() { userId }: SignedInUser): Promise<void> {
    await this.confirmation.sendAgain(userId);
  }

  /** Confirms an e-mail with the token of a mail. A new e-mail is that of the account from now on. */
  @Post('email-verifications/complete')
  @Public()
  @HttpCode(204)
  @ErrorResponses(InvalidEmailLinkError, EmailTakenError)
  async complete(@Body() { token }: CompleteEmailVerification, @Ip() ip: string): Promise<void> {
    await this.confirmation.complete(token, ip);
  }

  /** Undoes a change of the e-mail with the token of the mail that told of it: sets a new password, and ends all access. */
  @Post('email-changes/undo')
  @Public()
  @HttpCode(204)
  @ErrorResponses(CommonPasswordError, InvalidEmailLinkError, EmailTakenError, HashingBusyError)
  async undo(@Body() { token, password }: UndoEmailChange, @Ip() ip: string): Promise<void> {
    await this.changes.undo(token, password, ip);
  }
}
