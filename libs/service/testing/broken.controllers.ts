import {
  TwoFactorsRequiredError,
  facet,
  Public,
  registerFacets,
  Roles,
  Scopes,
  UseStrategy,
  Verified,
} from '@app/auth';
import type { Queries } from '@app/persistence';
import { Accept, Expose, IfGiven, OwnedBy, registerAudiences, Returns, Schema } from '@app/contract';
import { inGroups } from '@app/engine';
import { neverCalled } from '@app/contract/testing';
import { Idempotent } from '../src/idempotency/idempotent.decorator';
import { github } from '../src/signatures/schemes';
import { SignedBy } from '../src/signatures/signed-by.decorator';
import { Transaction } from '../src/routes/transaction.decorator';
import { Filterable, PaginationQuery, Sortable } from '@app/paging';
import { ETag } from '../src/conditions/entity-tag.decorator';
import { IfMatch } from '../src/conditions/if-match.decorator';
import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Query,
  Scope,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { Exclude, Transform, Type as TypeOf } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/*
 * Controllers that must not start, each for a different reason. The code at the end of a line is the expected finding, and
 * the line its position; a code on a line of its own refers to the line above.
 */

interface Shape {
  readonly name: string;
}

class Sound {
  @IsString({ groups: ['create'] }) name!: string;
}

@Exclude()
class Answer {
  @Expose() id!: number;
}

@Controller('unseen-body')
class UnseenBody {
  @Post()
  @Returns('nothing')
  create(@Body() _body: Shape) {} // SLUICE-C101
}

@Controller('unseen-query')
class UnseenQuery {
  @Get()
  @Returns('nothing')
  list(@Query() _query: unknown) {} // SLUICE-C101
}

@Controller('unseen-path')
class UnseenPath {
  @Get(':id')
  @Returns('nothing')
  read(@Param() _path: { id: string }) {} // SLUICE-C101
}

class Other {
  @IsString() name!: string;
}

@Controller('two-classes')
class TwoClasses {
  @Post()
  @Returns('nothing')
  create(@Body(inGroups(Sound, 'create')) _body: Other) {} // SLUICE-C102
}

class Ruleless {
  // SLUICE-C103
  name!: string;
}

@Controller('ruleless')
class WithoutRules {
  @Post()
  @Returns('nothing')
  create(@Body() _body: Ruleless) {}
}

@Controller('misspelled-group')
class MisspelledGroup {
  @Post()
  @Returns('nothing')
  create(@Body(inGroups(Sound, 'craete')) _body: Sound) {} // SLUICE-C104
}

class Nested {
  @IsArray()
  lines!: Other[]; // SLUICE-C105

  @IsObject() detail!: object; // SLUICE-C105

  @IsArray()
  @TypeOf(() => Other)
  others!: Other[]; // SLUICE-C106

  @IsNotEmpty()
  name!: string; // SLUICE-C107

  @IsString({ each: true })
  tags!: string[]; // SLUICE-C111

  @IsInt() height!: number; // SLUICE-C112
}

@Controller('untyped')
class Untyped {
  @Post()
  @Returns('nothing')
  create(@Body() _body: Nested) {}
}

class Search {
  @IsInt() limit!: number; // SLUICE-C108

  @IsBoolean()
  open!: boolean; // SLUICE-C109
}

@Controller('text')
class TextForNumbers {
  @Get()
  @Returns('nothing')
  search(@Query() _query: Search) {}
}

@Controller('one-field')
class OneField {
  @Get()
  @Returns('nothing')
  search(@Query('q') _q: string) {} // SLUICE-C110
}

@Controller('undeclared')
class Undeclared {
  @Get()
  read(): object {
    // SLUICE-C201
    return {};
  }
}

class Open {
  // SLUICE-C202
  @Expose() id!: number;
}

@Controller('open')
class OpenAnswer {
  @Get()
  @Returns(Open)
  read() {
    return neverCalled();
  }
}

@Controller('unknown-group')
class UnknownGroup {
  @Get()
  @Returns(Answer, { groups: ['admni'] })
  read() {
    // SLUICE-C210
    return neverCalled();
  }
}

@Controller('unknown-strategy')
class UnknownStrategy {
  @Get()
  @Returns(Answer)
  @UseStrategy('bagde')
  read() {
    // SLUICE-C302
    return neverCalled();
  }
}

@Controller('contradiction')
class Contradiction {
  @Get()
  @Returns(Answer)
  @Public()
  @Roles('admin')
  read() {
    // SLUICE-C303
    return neverCalled();
  }
}

@Controller('unknown-role')
class UnknownRole {
  @Get()
  @Returns(Answer)
  @Roles('amdin')
  read() {
    // SLUICE-C304
    return neverCalled();
  }
}

@Controller('unknown-scope')
class UnknownScope {
  @Get()
  @Returns(Answer)
  @UseStrategy('scoped')
  @Scopes('itmes:read')
  read() {
    // SLUICE-C306
    return neverCalled();
  }
}

@Controller('unenforced-scopes')
class UnenforcedScopes {
  @Get()
  @Returns(Answer)
  @UseStrategy('badge')
  @Scopes('read')
  read() {
    // SLUICE-C307
    return neverCalled();
  }
}

@Controller('undetectable-credentials')
class UndetectableCredentials {
  @Get()
  @Returns(Answer)
  @Public({ caller: 'optional' })
  @UseStrategy('opaque')
  read() {
    // SLUICE-C308
    return neverCalled();
  }
}

@Controller('contradiction-of-optional')
class ContradictionOfOptional {
  @Get()
  @Returns(Answer)
  @Public({ caller: 'optional' })
  @Verified()
  read() {
    // SLUICE-C303
    return neverCalled();
  }
}

@Controller('foreign-roles')
class ForeignRoles {
  @Get()
  @Returns(Answer)
  @SetMetadata('roles', ['admin'])
  read() {
    // SLUICE-C305
    return neverCalled();
  }
}

@Controller('shadow')
class Shadow {
  @Get(':id')
  @Returns(Answer)
  read() {
    return neverCalled();
  }

  @Get(':name')
  @Returns(Answer)
  readByName() {
    // SLUICE-C401
    return neverCalled();
  }
}

@Controller('repeatable')
class Repeatable {
  @Post()
  @Returns('nothing')
  @Public()
  @Idempotent()
  create(@Transaction() _db?: Queries) {
    // SLUICE-C402
    return neverCalled();
  }

  @Post('signed')
  @Returns('nothing')
  @SignedBy(github({ secret: 'SECRET' }))
  receive(@Transaction() _db?: Queries) {
    // SLUICE-C402
    return neverCalled();
  }
}

@Controller('unshared')
class Unshared {
  @Post()
  @Returns('nothing')
  @Idempotent()
  create() {
    // SLUICE-C409
    return neverCalled();
  }
}

class Preset {
  @IsInt() @Min(1) @Max(9) seats = 1; // SLUICE-C406

  @ValidateIf(({ seats }: Preset) => seats > 1)
  @IsString()
  note!: string; // SLUICE-C113

  @IsOptional()
  @IsString()
  title?: string; // SLUICE-C114
}

@Controller('preset')
@Public()
class ResetByPatch {
  @Patch()
  @Returns('nothing')
  change(@Body() _body: Preset) {}
}

@Exclude()
class Described {
  @Expose() @Schema({ type: ['string', 'null'] }) note!: string | null;
  @Expose() @TypeOf(() => Object) extra!: unknown;
  @Expose() title!: string | null; // SLUICE-C403
}

@Controller('described')
@Public()
class UntypedMember {
  @Get()
  @Returns(Described)
  read() {
    return neverCalled();
  }
}

@Controller('misread')
@Public()
class Misread {
  @Get(':id')
  @ETag()
  @Returns(Answer)
  read(@Param('id', ParseIntPipe) id: number, @Transaction() _db?: Queries) {
    // SLUICE-C407
    return { id };
  }

  @Get()
  @Returns('text')
  find(@Transaction() _db?: Queries): string {
    return 'without a tag';
  }

  @Patch(':id')
  @Returns('nothing')
  @IfMatch('read')
  change(@Transaction() _db?: Queries) {}

  @Delete(':id')
  @Returns('nothing')
  @IfMatch('find')
  remove(@Transaction() _db?: Queries) {} // SLUICE-C407
}

@Controller({ path: 'anew', scope: Scope.REQUEST })
@Public()
class Anew {
  @Get()
  @ETag()
  @Returns(Answer)
  read(@Transaction() _db?: Queries) {
    return neverCalled();
  }

  @Put()
  @Returns('nothing')
  @IfMatch('read')
  change(@Transaction() _db?: Queries) {} // SLUICE-C408
}

class Inner {
  @IsString() name!: string;
}

class Circled {
  @ValidateNested() @TypeOf(() => Inner) inner!: object; // SLUICE-C115
}

class Looped {
  // tsc emits this metadata for files that import each other.
  @Reflect.metadata('design:type', undefined)
  @IsObject()
  @ValidateNested()
  @TypeOf(() => Inner)
  inner!: object; // SLUICE-C116
}

@Exclude()
class InnerAnswer {
  @Expose() name!: string;
}

@Exclude()
class LoopedAnswer {
  @Reflect.metadata('design:type', undefined)
  @Expose()
  @TypeOf(() => InnerAnswer)
  inner!: object; // SLUICE-C116
}

@Controller('circled')
@Public()
class LostType {
  @Get()
  @Returns(LoopedAnswer)
  read(): LoopedAnswer {
    return neverCalled();
  }

  @Post()
  @Returns('nothing')
  create(@Body() _body: Circled) {}

  @Put()
  @Returns('nothing')
  replace(@Body() _body: Looped) {}
}

@Exclude()
class Weighed {
  @Expose() @Schema({}) weight!: number; // SLUICE-C410
}

@Sortable(Weighed, 'weight')
@Filterable('shelf')
class WeighedQuery extends PaginationQuery {
  shelf?: string; // SLUICE-C410
}

@Controller('weighed')
@Public()
class UnsortableList {
  @Get()
  @Returns('nothing')
  list(@Query() _query: WeighedQuery) {}
}

registerAudiences([
  { name: 'readers', description: 'readers', includes: () => true },
  { name: 'row-owner', description: 'its owner', ownerOf: ({ id }) => id },
]);

@Exclude()
@OwnedBy('id', 'row-owner')
class Computed {
  id!: number;
  @Expose({ to: 'row-owner' }) @Transform(({ obj }) => String(obj)) text!: string; // SLUICE-C213
}

@Exclude()
class Addressed {
  @Expose({ to: 'nobody' }) unknown!: string; // SLUICE-C211
  @Expose({ to: 'row-owner' }) ownerless!: string; // SLUICE-C212
  @Expose({ to: 'readers' }) shelf!: string;
  @Expose() @TypeOf(() => Computed) computed!: Computed;
}

class Restricted {
  @Accept({ from: 'nobody' }) @IfGiven() @IsString() text?: string; // SLUICE-C117
  @Accept({ from: 'row-owner' }) @IfGiven() @IsString() own?: string; // SLUICE-C117
  @Accept({ from: 'readers' }) @IsString() needed!: string; // SLUICE-C118
  @ValidateNested() @TypeOf((value) => (value?.object['shelf'] ? Restricted : Inner)) chosen!: Inner; // SLUICE-C119
}

@Filterable('shelf')
class AddressedQuery extends PaginationQuery {
  @IfGiven() @IsString() shelf?: string; // SLUICE-C410
}

@Controller('addressed')
@Public()
class OfAudiences {
  @Get()
  @Returns(Addressed, { groups: ['to:readers'] })
  list(@Query() _query: AddressedQuery) {
    // SLUICE-C214
    return neverCalled();
  }

  @Post()
  @Returns('nothing')
  create(@Body() _body: Restricted) {}
}

/** A facet that decides by a path parameter. */
const ofTeam = facet<true>({
  name: 'ofTeam',
  decorator: '@OfTeam()',
  error: TwoFactorsRequiredError,
  parameter: 'teamId',
  isMet: () => true,
  description: () => '403 unless the caller is in the team.',
  summary: () => 'of the team',
});
registerFacets([ofTeam]);

@Controller('teams/:teamId/boards')
class OfEveryTeam {
  @Get()
  @Returns('nothing')
  list() {
    // SLUICE-C309
    return neverCalled();
  }

  @Post()
  @Returns('nothing')
  @ofTeam.set(true)
  create() {}

  @Delete()
  @Returns('nothing')
  @ofTeam.set(false)
  clear() {}
}

@Controller('teams/:id/boards')
@ofTeam.set(true)
class OfNoTeam {
  @Put()
  @Returns('nothing')
  replace() {
    // SLUICE-C310
    return neverCalled();
  }
}

/** Returns a class named `Twin`, so that two calls make classes with the same name. */
function twinAt(path: string): Type {
  @Controller(path)
  class Twin {
    @Post()
    @Returns('nothing')
    @Idempotent()
    create(@Transaction() _db?: Queries) {
      // SLUICE-C404
      return neverCalled();
    }
  }
  return Twin;
}

/** The broken controllers. */
export const brokenControllers: readonly Type[] = [
  UnseenBody,
  UnseenQuery,
  UnseenPath,
  TwoClasses,
  WithoutRules,
  MisspelledGroup,
  Untyped,
  TextForNumbers,
  OneField,
  Undeclared,
  OpenAnswer,
  UnknownGroup,
  UnknownStrategy,
  Contradiction,
  UnknownRole,
  UnknownScope,
  UnenforcedScopes,
  UndetectableCredentials,
  ContradictionOfOptional,
  ForeignRoles,
  Shadow,
  Repeatable,
  Unshared,
  ResetByPatch,
  UntypedMember,
  Misread,
  UnsortableList,
  OfAudiences,
  OfEveryTeam,
  OfNoTeam,
  LostType,
  Anew,
  twinAt('twins'),
  twinAt('other-twins'),
];
