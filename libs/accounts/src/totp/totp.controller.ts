import { Caller, Recent } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { Returns } from '@app/serialization';
import { Body, Controller, Delete, Get, Header, HttpCode, Ip, Post } from '@nestjs/common';
import type { SignedInUser } from '../access/access-check';
import { TooManyAttemptsError } from '../errors';
import { InvalidTotpCodeError, TotpEnrolledError, TotpNotEnrolledError } from './errors';
import { TotpEnrolments } from './totp-enrolments';
import { ConfirmTotp, RecoveryCodes, TotpEnrolment, TotpState } from './totp.dto';

/** The caller's authenticator application, as a second factor of sign-ins. */
@Controller('auth/totp')
export class TotpController {
  constructor(private readonly enrolments: TotpEnrolments) {}

  /** Returns whether the caller's sign-ins require a code, and how many recovery codes are left. */
  @Get()
  @Returns(TotpState)
  read(@Caller() { userId }: SignedInUser): Promise<TotpState> {
    return this.enrolments.stateOf(userId);
  }

  /**
   * Begins to enrol an authenticator application. Sign-ins do not require a code before one confirms the enrolment, within an hour; a
   * further call replaces the secret.
   */
  @Post()
  @Recent('15m')
  @Header('Cache-Control', 'no-store')
  @Returns(TotpEnrolment)
  @ErrorResponses(TotpEnrolledError)
  begin(@Caller() caller: SignedInUser): Promise<TotpEnrolment> {
    return this.enrolments.begin(caller);
  }

  /**
   * Confirms the enrolment by a code. From now on sign-ins require one; every other sign-in of the caller ends. The response has ten
   * recovery codes, which are not shown again.
   */
  @Post('confirm')
  @Recent('15m')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Returns(RecoveryCodes)
  @ErrorResponses(InvalidTotpCodeError, TotpNotEnrolledError, TooManyAttemptsError)
  async confirm(
    @Body() { code }: ConfirmTotp,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<RecoveryCodes> {
    return { recoveryCodes: [...(await this.enrolments.confirm(caller, code, ip))] };
  }

  /** Replaces the recovery codes. The response has ten new ones, which are not shown again. */
  @Post('recovery-codes')
  @Recent('15m')
  @Header('Cache-Control', 'no-store')
  @Returns(RecoveryCodes)
  @ErrorResponses(TotpNotEnrolledError)
  async replaceRecoveryCodes(@Caller() caller: SignedInUser, @Ip() ip: string): Promise<RecoveryCodes> {
    return { recoveryCodes: [...(await this.enrolments.replaceRecoveryCodes(caller, ip))] };
  }

  /** Ends the second factor, with its recovery codes: sign-ins do not require a code any more. */
  @Delete()
  @Recent('15m')
  @HttpCode(204)
  @ErrorResponses(TotpNotEnrolledError)
  async end(@Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
    await this.enrolments.end(caller, ip);
  }
}
