import { AccessCheck, accounts, AccountsStore, type SignedInUser } from '@app/accounts';
import { AccessTokens, bearerStrategy, Caller, UseStrategy } from '@app/auth';
import { Returns } from '@app/contract';
import { definePlugin, defineProgram } from '@app/service';
import { type BootedProgram, bootProgram } from '@app/service/testing';
import { Controller, Get } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';

const invitations = new AccessTokens({ secret: 'the secret of invitations, 32 bytes long', ttlSeconds: 600 });

@Exclude()
class Invited {
  @Expose() username!: string;
}

@Controller('invitations')
@UseStrategy('invitation')
class InvitationsController {
  @Get('current')
  @Returns(Invited)
  current(@Caller() { username }: SignedInUser): Invited {
    return { username };
  }

  @UseStrategy('invitation', 'jwt')
  @Get('either')
  @Returns(Invited)
  either(@Caller() { username }: SignedInUser): Invited {
    return { username };
  }
}

/** A second bearer strategy, made from providers of accounts. */
const inviting = definePlugin({
  name: 'inviting',
  controllers: [InvitationsController],
  providers: () => [
    {
      provide: 'the strategy of invitations',
      inject: [AccessCheck, AccountsStore],
      useFactory: (access: AccessCheck, store: AccountsStore) =>
        bearerStrategy({
          name: 'invitation',
          tokens: invitations,
          check: async (claims) => (await store.findById(claims.sub)) && access.callerOf(claims),
        }),
    },
  ],
  strategies: [{ name: 'invitation', provide: 'the strategy of invitations' }],
});

function bootInviting(): BootedProgram {
  return bootProgram(
    defineProgram({
      name: 'inviting',
      plugins: [accounts({ longestTokenSeconds: invitations.ttlSeconds }), inviting],
    }),
  );
}

describe('a second bearer strategy with its own secret (§5.9)', () => {
  const program = bootInviting();
  const statusOf = async (path: string, token: string) => (await program().as(token).get(path)).status;
  const invitation = async (sub?: number) => {
    const { userId, username } = (await (await program.administrator()).get('/auth/profile')).json;
    return invitations.sign({ sub: sub ?? userId, username });
  };

  it('authenticates the routes that name it, by the check of the application', async () => {
    const reply = await program()
      .as(await invitation())
      .get('/invitations/current');
    expect([reply.status, reply.json]).toEqual([200, { username: program.administratorEmail }]);
    expect(await statusOf('/invitations/current', await invitation(999_999))).toBe(401);
  });

  it('rejects tokens of the default strategy, and is rejected by it', async () => {
    expect(await statusOf('/invitations/current', await program.tokenOf({}))).toBe(401);
    expect(await statusOf('/auth/profile', await invitation())).toBe(401);
    expect(await statusOf('/auth/profile', await program.tokenOf({}))).toBe(200);
  });

  it('is combined with the default strategy on one route', async () => {
    expect(await statusOf('/invitations/either', await program.tokenOf({}))).toBe(200);
    expect(await statusOf('/invitations/either', await invitation())).toBe(200);
  });

  it('is in the OpenAPI description', async () => {
    const { json } = await program().get('/openapi.json');
    expect(json.components.securitySchemes).toMatchObject({
      jwt: { type: 'http', scheme: 'bearer' },
      invitation: { type: 'http', scheme: 'bearer' },
      'api-key': { type: 'apiKey' },
    });
  });
});
