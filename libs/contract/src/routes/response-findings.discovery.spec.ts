import { Readable } from 'node:stream';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Redirect,
  SerializeOptions,
  Sse,
  StreamableFile,
} from '@nestjs/common';
import { Exclude, Expose, Type } from 'class-transformer';
import { of } from 'rxjs';
import { responseFindings } from './response-findings.discovery';
import { Returns } from './returns.decorator';
import { answersOf, declaredResponse } from './declared-response.discovery';
import { neverCalled } from '../../testing/never-called';

@Exclude()
class User {
  @Expose() id!: number;
  @Expose({ groups: ['admin'] }) role!: string;
}

@Exclude()
class Post {
  @Expose() id!: number;
}

/** Sends all fields of a row. */
class Open {
  @Exclude() password!: string;
}

@Exclude()
class Holder {
  @Expose() @Type(() => Open) open!: Open;
}

@Exclude()
class Vague {
  @Expose() byName!: Map<string, User>;
  @Expose() @Type((help) => (help?.property === 'part' ? User : Post)) part!: object;
}

@Exclude()
class Sure {
  @Expose() @Type(() => User) byName!: Map<string, User>;
  @Expose() @Type(() => Object) detail!: object;
  @Expose() @Type(() => Date) at!: Date;
  @Expose()
  @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'user', value: User }] } })
  part!: User;
}

@Controller()
class Declared {
  @Get() @Returns(User) one() {
    return neverCalled();
  }
  @Get() @Returns(Sure) sure() {
    return neverCalled();
  }
  @Get() @SerializeOptions({ type: User }) typed() {}
  @Get() @Returns(Open) @SerializeOptions({ strategy: 'excludeAll' }) closedByOption() {
    return neverCalled();
  }
  @Get() @Returns('anything') anything() {}
  @Get() @Returns('anything') @SerializeOptions({ type: Open }) openKnowingly() {}
  @Sse() @Returns('anything') events() {
    return of({ data: 1 });
  }
  @Get() text(): string {
    return '';
  }
  @Get() bytes(): Buffer {
    return Buffer.alloc(0);
  }
  @Get() stream(): StreamableFile {
    return new StreamableFile(Readable.from([]));
  }
  @Delete() @HttpCode(204) async remove() {}
  @Get() @Redirect('/') away() {}
}

@Controller()
class Undeclared {
  @Get() plain(): object {
    return {};
  }
  @Get() async promised(): Promise<string> {
    return '';
  }
  @Get() unannotated() {
    return {};
  }
  @Sse() events() {
    return of({ data: 1 });
  }
  @Get() @SerializeOptions({ groups: ['admin'] }) grouped() {}
}

@Controller()
class Broken {
  @Get() @Returns(Open) open() {
    return neverCalled();
  }
  @Get() @Returns(Holder) holder() {
    return neverCalled();
  }
  @Get() @Returns(Vague) vague() {
    return neverCalled();
  }
  @Get() @Returns(User) @SerializeOptions({ type: Post }) twoTypes() {
    return neverCalled();
  }
  @Get() @Returns(User, { groups: ['a'] }) @SerializeOptions({ groups: ['b'] }) twoGroups() {
    return neverCalled();
  }
  @Get() @Returns('text') @SerializeOptions({ type: User }) textAndType() {}
  @Get() @Returns(User, { ignoreDecorators: true }) ruleless() {
    return neverCalled();
  }
}

@Controller()
@SerializeOptions({ type: Post, groups: ['user'], version: 2 })
class Grouped {
  @Get() inherited() {}
  @Get() @SerializeOptions({ groups: ['admin'] }) replaced() {}
  @Get() @Returns(User, { groups: ['admin'] }) combined() {
    return neverCalled();
  }
}

/** The findings' codes, by handler. */
function codes(controller: Function, hardened = true): Record<string, string[]> {
  const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
  const entries = names.map((name): [string, string[]] => [
    name,
    responseFindings(controller, name, { hardened }).map(({ code }) => code),
  ]);
  return Object.fromEntries(entries.filter(([, list]) => list.length > 0));
}

describe('the findings about the response of a route', () => {
  it('are none if it is declared, or follows from the return type or other decorators', () => {
    expect(codes(Declared)).toEqual({});
  });

  it('have undeclared responses', () => {
    const undeclared = ['SLUICE-C201'];
    expect(codes(Undeclared)).toEqual({
      plain: undeclared,
      promised: undeclared,
      unannotated: undeclared,
      events: undeclared,
      grouped: undeclared,
    });
    expect(codes(Undeclared, false)).toEqual({});
  });

  it('have classes that send fields without exposing them, at any depth', () => {
    expect(codes(Broken)).toMatchObject({
      open: ['SLUICE-C202'],
      holder: ['SLUICE-C202'],
      vague: ['SLUICE-C203', 'SLUICE-C204'],
      ruleless: ['SLUICE-C205'],
    });
  });

  it('have contradicting decorators', () => {
    const twice = { twoTypes: ['SLUICE-C208'], twoGroups: ['SLUICE-C208'] };
    expect(codes(Broken, false)).toEqual({ ...twice, textAndType: ['SLUICE-C208'] });
  });

  it('have a remedy', () => {
    expect(responseFindings(Broken, 'holder', { hardened: true })).toEqual([
      {
        code: 'SLUICE-C202',
        problem: 'Open sends every field, including those that it does not declare',
        remedy: 'Put @Exclude() on Open and @Expose() on each field that is sent',
        place: { type: Open },
      },
    ]);
  });
});

describe('@SerializeOptions', () => {
  it('applies to a controller, and is replaced by that of a handler', () => {
    expect(declaredResponse(Grouped, 'inherited')).toMatchObject({
      kind: 'class',
      type: Post,
      options: { groups: ['user'], version: 2 },
    });
    expect(declaredResponse(Grouped, 'replaced')).toMatchObject({
      kind: 'undeclared',
      options: { groups: ['admin'] },
    });
  });

  it('is overridden by the class and the options of @Returns, and adds other options', () => {
    const combined: object = Reflect.get(Grouped.prototype, 'combined');
    expect(answersOf(combined, Grouped)).toEqual({
      type: User,
      isList: false,
      options: { groups: ['admin'], version: 2 },
    });
    expect(answersOf(combined)).toMatchObject({ options: { groups: ['admin'] } });
  });
});
