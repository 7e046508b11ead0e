import { type SignedInUser, TooManyAttemptsError } from '@app/accounts';
import { Caller, DirectSignIn, Recent } from '@app/auth';
import { ErrorResponses, RateLimit, Returns } from '@app/contract';
import { Body, Controller, Header, HttpCode, Ip, Post } from '@nestjs/common';
import { NewRecoveryCodes } from '../recovery-codes/recovery-codes.dto';
import { InvalidTotpCodeError, TotpEnrolledError, TotpNotEnrolledError } from './errors';
import { TotpEnrolments } from './totp-enrolments';
import { BeginTotp, ConfirmTotp, TotpEnrolment } from './totp.dto';

/** Enrols the caller's authenticator application as a second factor. */
@Controller('auth/factors/totp')
export class TotpController {
  constructor(private readonly enrolments: TotpEnrolments) {}

  /**
   * Begins an authenticator-app enrolment. Confirm the enrolment with a code within an hour; until then sign-ins stay unchanged. A further
   * call replaces the secret.
   */
  @Post()
  @DirectSignIn()
  @Recent('15m')
  @RateLimit('10/1m')
  @Header('Cache-Control', 'no-store')
  @Returns(TotpEnrolment)
  @ErrorResponses(TotpEnrolledError)
  begin(@Caller() caller: SignedInUser, @Body() { qr }: BeginTotp): Promise<TotpEnrolment> {
    return this.enrolments.begin(caller, qr);
  }

  /**
   * Confirms the enrolment with a code. Sign-ins require a code from now on, and the caller's other sessions end. Only this
   * response shows the ten recovery codes.
   */
  @Post('confirm')
  @DirectSignIn()
  @Recent('15m')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Returns(NewRecoveryCodes)
  @ErrorResponses(InvalidTotpCodeError, TotpNotEnrolledError, TooManyAttemptsError)
  async confirm(
    @Body() { code }: ConfirmTotp,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<NewRecoveryCodes> {
    return { recoveryCodes: await this.enrolments.confirm(caller, code, ip) };
  }
}
