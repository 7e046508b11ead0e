import type { IncomingHttpHeaders } from 'node:http';
import { AccountDisabledError, TooManyAttemptsError, TotpRequiredError } from '../errors';
import { Caller, SignInOverloadError, Public, UnauthenticatedError } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { Returns } from '@app/serialization';
import { Body, Controller, Get, Headers, HttpCode, Ip, Post } from '@nestjs/common';
import type { SignedInUser } from '../access/access-check';
import { SignIn } from './sign-in';
import { LoginRequest, LoginResponse, Profile } from './sign-in.dto';

/** Login, and the profile of the caller. */
@Controller('auth')
export class SignInController {
  constructor(private readonly signIn: SignIn) {}

  /** Signs in, for as long as an access token lasts. */
  @Post('login')
  @Public()
  @HttpCode(200)
  @Returns(LoginResponse)
  @ErrorResponses(
    UnauthenticatedError,
    AccountDisabledError,
    TotpRequiredError,
    TooManyAttemptsError,
    SignInOverloadError,
  )
  async login(
    @Body() { username, password }: LoginRequest,
    @Ip() ip: string,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<LoginResponse> {
    const token = await this.signIn.login(username, password, { ip, headers });
    if (token === undefined) throw new UnauthenticatedError();
    return { access_token: token };
  }

  /** Returns who the caller is, as the access token says. */
  @Get('profile')
  @Returns(Profile)
  profile(@Caller() caller: SignedInUser): Profile {
    return caller;
  }
}
