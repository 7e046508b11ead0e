import { Caller } from '@app/auth';
import { Returns, Schema } from '@app/contract';
import { Controller, Get } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import type { SignedInUser } from './access-check';

/** The authenticated caller. */
@Exclude()
class Profile {
  /** The `sub` claim of the token. */
  @Expose() @Schema({ type: 'integer' }) userId!: number;
  @Expose() username!: string;
}

/** The caller's profile. */
@Controller('auth/profile')
export class ProfileController {
  /** Returns who the caller is, as the access token says. */
  @Get()
  @Returns(Profile)
  read(@Caller() caller: SignedInUser): Profile {
    return caller;
  }
}
