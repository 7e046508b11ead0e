import { randomUUID } from 'node:crypto';
import { AccessCheck, accounts } from '@app/accounts';
import { AccessTokens, bearerStrategy, Public, UseStrategy } from '@app/auth';
import { type Columns, Database, type MigrationContext, type TableDefinition } from '@app/persistence';
import { NoLongerThan, NoMoreThan, Returns } from '@app/contract';
import { definePlugin, defineProgram } from '@app/service';
import { type BootedProgram, theProgramKeepsItsPromises } from '@app/service/testing';
import { Body, Controller, NotFoundException, Post, UseGuards } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsArray, IsIn, IsString, IsUrl } from 'class-validator';
import { sql } from 'kysely';
import { descriptions } from '../src/descriptions';

const invitations = new AccessTokens({ secret: 'the secret of invitations, 32 bytes long', ttlSeconds: 600 });

class Answer {
  @IsIn(['yes', 'no'])
  readonly answer!: string;

  @IsUrl({ protocols: ['https', 'git+ssh'], require_protocol: true })
  readonly site!: string;

  @IsUrl({ protocols: ['ftp'] })
  readonly mirror!: string;

  @IsArray()
  @NoMoreThan(3)
  @IsString({ each: true })
  @NoLongerThan(20, { each: true })
  readonly labels!: string[];
}

@Exclude()
class Answered {
  @Expose() answer!: string;
}

@Exclude()
class OwnBody {
  @Expose() code!: string;

  static of({ code }: { readonly code: string }): OwnBody {
    return Object.assign(new OwnBody(), { code });
  }
}

@Controller('invitations')
@UseStrategy('invitation')
class InvitationsController {
  @Post('answers')
  @Returns(Answered)
  answer(@Body() { answer }: Answer): Answered {
    return { answer };
  }
}

/** Nobody is a member of anything. */
class MembersOnly {
  canActivate(): never {
    throw new NotFoundException();
  }
}

@Controller('rooms')
@UseGuards(MembersOnly)
class RoomsController {
  @Public()
  @Post('answers')
  @Returns(Answered)
  answer(@Body() { answer }: Answer): Answered {
    return { answer };
  }
}

/** A column of our own routes' names that is secret here, and a code that the response of its creation alone has. */
const couponTable: TableDefinition = {
  name: 'coupon',
  secrecy: { id: 'open', code: 'shown-once', status: 'secret' },
  exported: 'nothing of an account',
  migrations: { '0001-coupons': { apply: createCoupon } },
};

async function createCoupon(
  db: MigrationContext,
  { integer, text, id, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('coupon')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('code', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .execute();
}

@Exclude()
class Coupon {
  @Expose() id!: number;
  @Expose() code!: string;
}

@Controller('coupons')
class CouponsController {
  constructor(private readonly db: Database) {}

  @Post()
  @Returns(Coupon)
  async create(): Promise<Coupon> {
    const code = randomUUID();
    const { rows } = await sql<{ id: number }>`
      insert into coupon (code, status) values (${code}, ${randomUUID()}) returning id`.execute(this.db);
    return { id: rows[0]?.id ?? 0, code };
  }
}

const inviting = definePlugin({
  name: 'invitations',
  tables: [couponTable],
  controllers: [CouponsController, InvitationsController, RoomsController],
  providers: () => [
    {
      provide: 'the strategy of invitations',
      inject: [AccessCheck],
      useFactory: (access: AccessCheck) =>
        bearerStrategy({
          name: 'invitation',
          tokens: invitations,
          check: (claims) => access.callerOf(claims),
        }),
    },
  ],
  strategies: [{ name: 'invitation', provide: 'the strategy of invitations' }],
});

theProgramKeepsItsPromises(
  defineProgram({
    name: 'inviting',
    descriptions,
    errors: { body: OwnBody, status: { invalid: 422 } },
    plugins: [accounts({ longestTokenSeconds: invitations.ttlSeconds }), inviting],
  }),
  {
    clients: {
      invitation: async (program: BootedProgram) => {
        const { userId, username } = (await (await program.administrator()).get('/auth/profile')).json;
        return program().as(invitations.sign({ sub: userId, username }));
      },
    },
    skip: { 'what it exposes is what contract.lock.json has': 'no such application is in the workspace' },
  },
);
