import { Public } from '@app/auth';
import { Accept, Body, Expose, IfGiven, NoLongerThan, OwnedBy, Returns, Schema } from '@app/contract';
import { Page } from '@app/paging';
import type { Queries } from '@app/persistence';
import { ETag, IfMatch, Transaction } from '@app/service';
import type { Client } from '@app/service/testing';
import { Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { Exclude, Type } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';
import { teams } from '../src/teams.plugin';
import { bootApi } from '../testing/boot-api';

@Exclude()
@OwnedBy('ownerId')
class Draft {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose({ to: ['self', 'admin'] }) text!: string;
  ownerId!: number;
}

@Exclude()
class Shelf {
  @Expose() @Type(() => Draft) drafts!: Draft[];
  @Expose({ to: 'member:owner' }) code!: string;
}

class NewDraft {
  @MinLength(1) @NoLongerThan(10) title!: string;
  @Accept({ from: 'admin' }) @IfGiven() @IsString() @NoLongerThan(10) stamp?: string;
}

/** The account that owns the second draft. */
let ownerId = 0;
let shelfText = 'b';
const drafts = () => [
  { id: 1, text: 'a', ownerId: -1 },
  { id: 2, text: shelfText, ownerId },
];
const shelf = () => ({ drafts: drafts(), code: 'c' });

@Controller('drafts')
class DraftsController {
  @Get()
  @Returns(Page(Draft))
  list() {
    return { items: drafts(), page: 1, limit: 10, nextPage: null };
  }

  @Get('public')
  @Public({ caller: 'optional' })
  @Returns([Draft])
  listed() {
    return drafts();
  }

  @Get('broken')
  @Returns(Shelf)
  broken() {
    return { code: 'c', drafts: new Set(drafts()) as unknown as Draft[] };
  }

  @Get('shelf')
  @ETag()
  @Returns(Shelf)
  read(@Transaction() _db?: Queries) {
    return shelf();
  }

  @Patch('shelf')
  @IfMatch('read')
  @Returns(Shelf)
  change(@Transaction() _db?: Queries) {
    shelfText = 'changed';
    return shelf();
  }

  @Post()
  @HttpCode(200)
  @Returns('anything')
  create(@Body({ unknown: 'strip' }) { title, stamp }: NewDraft) {
    return { title, stamp };
  }
}

@Controller('organizations/:organizationId/shelf')
@teams.Member()
class TeamController {
  @Get()
  @Returns(Shelf)
  read() {
    return shelf();
  }
}

describe.each(['compiled', 'nest'] as const)('the fields by caller on a %s route', (routes) => {
  const api = bootApi({ controllers: [DraftsController, TeamController], routes });
  let caller: Client;
  let operator: Client;

  beforeAll(async () => {
    caller = await api.newcomer();
    ownerId = Number((await caller.get('/users/me')).json.id);
    operator = await api.administrator();
  });

  beforeEach(() => {
    shelfText = 'b';
  });

  const [own, foreign] = [{ id: 2, text: 'b' }, { id: 1 }];

  it('are decided for each row of a page', async () => {
    expect((await caller.get('/drafts')).json.items).toEqual([foreign, own]);
    expect((await operator.get('/drafts')).json.items).toEqual([{ id: 1, text: 'a' }, own]);
  });

  it('are the fields for everybody without a caller', async () => {
    expect((await api().get('/drafts/public')).json).toEqual([{ id: 1 }, { id: 2 }]);
    expect((await caller.get('/drafts/public')).json).toEqual([foreign, own]);
  });

  it('include the fields for a role in the organization', async () => {
    const { json } = await caller.post('/organizations', { name: 'Team' });
    expect((await caller.get(`/organizations/${json.id}/shelf`)).json).toEqual({
      drafts: [foreign, own],
      code: 'c',
    });
    expect((await caller.get('/drafts/shelf')).json).toEqual({ drafts: [foreign, own] });
  });

  it('leave the response to an error as it is', async () => {
    const { status, json } = await caller.get('/drafts/broken');
    expect([status, json.statusCode, json.message]).toEqual([500, 500, 'Internal server error']);
  });

  it('are compared by the entity tag', async () => {
    const tag = String((await caller.get('/drafts/shelf')).headers.get('etag'));
    const foreignTag = String((await operator.get('/drafts/shelf')).headers.get('etag'));
    expect(tag).not.toBe(foreignTag);
    expect((await caller.with({ 'if-none-match': tag }).get('/drafts/shelf')).status).toBe(304);
    expect((await caller.with({ 'if-match': foreignTag }).patch('/drafts/shelf')).status).toBe(412);
    expect((await caller.with({ 'if-match': tag }).patch('/drafts/shelf')).status).toBe(200);
  });

  it('are removed from a body that others send', async () => {
    const body = { title: 't', stamp: 's', extra: 1 };
    expect((await caller.post('/drafts', body)).json).toEqual({ title: 't' });
    expect((await operator.post('/drafts', body)).json).toEqual({ title: 't', stamp: 's' });
  });
});
