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
import { answerFindings } from './answer-findings';
import { Answers } from './answers';
import { answersOf, declaredAnswer } from './declared-answer';
import { unasked } from '../../testing';

@Exclude()
class User {
  @Expose() id!: number;
  @Expose({ groups: ['admin'] }) role!: string;
}

@Exclude()
class Post {
  @Expose() id!: number;
}

/** Sends whatever a row has. */
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
  @Get() @Answers(User) one() {
    return unasked();
  }
  @Get() @Answers(Sure) sure() {
    return unasked();
  }
  @Get() @SerializeOptions({ type: User }) typed() {}
  @Get() @Answers(Open) @SerializeOptions({ strategy: 'excludeAll' }) closedByOption() {
    return unasked();
  }
  @Get() @Answers('anything') anything() {}
  @Get() @Answers('anything') @SerializeOptions({ type: Open }) openKnowingly() {}
  @Sse() @Answers('anything') events() {
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
  @Get() @Answers(Open) open() {
    return unasked();
  }
  @Get() @Answers(Holder) holder() {
    return unasked();
  }
  @Get() @Answers(Vague) vague() {
    return unasked();
  }
  @Get() @Answers(User) @SerializeOptions({ type: Post }) twoTypes() {
    return unasked();
  }
  @Get() @Answers(User, { groups: ['a'] }) @SerializeOptions({ groups: ['b'] }) twoGroups() {
    return unasked();
  }
  @Get() @Answers('text') @SerializeOptions({ type: User }) textAndType() {}
  @Get() @Answers(User, { ignoreDecorators: true }) ruleless() {
    return unasked();
  }
}

@Controller()
@SerializeOptions({ type: Post, groups: ['user'], version: 2 })
class Grouped {
  @Get() inherited() {}
  @Get() @SerializeOptions({ groups: ['admin'] }) replaced() {}
  @Get() @Answers(User, { groups: ['admin'] }) combined() {
    return unasked();
  }
}

/** By handler, the codes of what is found. */
function codes(controller: Function, hardened = true): Record<string, string[]> {
  const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
  const found = names.map((name): [string, string[]] => [
    name,
    answerFindings(controller, name, { hardened }).map(({ code }) => code),
  ]);
  return Object.fromEntries(found.filter(([, list]) => list.length > 0));
}

describe('what is found about the answers of a route', () => {
  it('is nothing where they are declared, or plain from what the handler says otherwise', () => {
    expect(codes(Declared)).toEqual({});
  });

  it('is that nobody declared them', () => {
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

  it('is a class that would send what it does not expose, wherever it stands', () => {
    expect(codes(Broken)).toMatchObject({
      open: ['SLUICE-C202'],
      holder: ['SLUICE-C202'],
      vague: ['SLUICE-C203', 'SLUICE-C204'],
      ruleless: ['SLUICE-C205'],
    });
  });

  it('is what is said twice and differently', () => {
    const twice = { twoTypes: ['SLUICE-C208'], twoGroups: ['SLUICE-C208'] };
    expect(codes(Broken, false)).toEqual({ ...twice, textAndType: ['SLUICE-C208'] });
  });

  it('is told with its remedy', () => {
    expect(answerFindings(Broken, 'holder', { hardened: true })).toEqual([
      {
        code: 'SLUICE-C202',
        problem: 'Open sends every field it is given, those that it does not name as well',
        remedy: 'Put @Exclude() on Open and @Expose() on each field that is sent',
        place: { type: Open },
      },
    ]);
  });
});

describe('@SerializeOptions', () => {
  it('counts for a whole controller, and on a handler replaces that', () => {
    expect(declaredAnswer(Grouped, 'inherited')).toMatchObject({
      kind: 'class',
      type: Post,
      options: { groups: ['user'], version: 2 },
    });
    expect(declaredAnswer(Grouped, 'replaced')).toMatchObject({
      kind: 'undeclared',
      options: { groups: ['admin'] },
    });
  });

  it('gives way to the class and the options of @Answers, and adds to them', () => {
    const combined: object = Reflect.get(Grouped.prototype, 'combined');
    expect(answersOf(combined, Grouped)).toEqual({
      type: User,
      isList: false,
      options: { groups: ['admin'], version: 2 },
    });
    expect(answersOf(combined)).toMatchObject({ options: { groups: ['admin'] } });
  });
});
