import { Caller } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get } from '@nestjs/common';
import type { SignedInUser } from './access-check';
import { Profile } from './auth-profile.dto';

/** The profile of the caller. */
@Controller('auth/profile')
export class ProfileController {
  /** Returns who the caller is, as the access token says. */
  @Get()
  @Returns(Profile)
  read(@Caller() caller: SignedInUser): Profile {
    return caller;
  }
}
