import { AccessTokens, publicJwks, Public } from '@app/auth';
import { Returns, Tag } from '@app/contract';
import { Controller, Get, Header } from '@nestjs/common';
import { PublicKeySet } from './public-keys.dto';

/** The public keys for services that verify access tokens. */
@Tag('.well-known', 'The public keys and the metadata for services that verify access tokens.')
@Controller('.well-known')
@Public()
export class PublicKeysController {
  constructor(private readonly tokens: AccessTokens) {}

  /** Returns the public keys that verify access tokens; the list is empty while a secret signs them. */
  @Get('jwks.json')
  @Header('Cache-Control', 'public, max-age=300')
  @Returns(PublicKeySet)
  async list() {
    return { keys: await publicJwks(this.tokens.publicKeys) };
  }
}
