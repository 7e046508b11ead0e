import 'reflect-metadata';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import ts from 'typescript';
import * as engine from '../../libs/engine/src/drop-in';
import { replacedNames } from './replaced-names';
import { switchFile } from './switch-file';

const switched = (text: string) => switchFile(ts, text, 'a.ts').text;
const placesOf = (text: string, path = 'a.ts') =>
  switchFile(ts, text, path).places.map(({ line, why }) => `${line}: ${why}`);

describe('the imports of a file', () => {
  it.each<[what: string, before: string, after: string]>([
    [
      'that import one name',
      "import { ValidationPipe } from '@nestjs/common';\n",
      "import { ValidationPipe } from '@sluice/engine/nest';\n",
    ],
    [
      'that import others too',
      "import { Get, ValidationPipe, Post } from '@nestjs/common';\nstart();\n",
      "import { Get, Post } from '@nestjs/common';\nimport { ValidationPipe } from '@sluice/engine/nest';\nstart();\n",
    ],
    [
      'with double quotes and without semicolons',
      'import { IsEmail, validate } from "class-validator"\n',
      'import { IsEmail } from "class-validator"\nimport { validate } from "@sluice/engine"\n',
    ],
    [
      'over several lines',
      "import {\n  Body,\n  ClassSerializerInterceptor,\n  ValidationPipe,\n} from '@nestjs/common';\n",
      "import {\n  Body,\n} from '@nestjs/common';\nimport { ClassSerializerInterceptor, ValidationPipe } from '@sluice/engine/nest';\n",
    ],
    [
      'with Windows line ends',
      "import { Get, ValidationPipe } from '@nestjs/common';\r\nstart();\r\n",
      "import { Get } from '@nestjs/common';\r\nimport { ValidationPipe } from '@sluice/engine/nest';\r\nstart();\r\n",
    ],
    [
      'under another name',
      "import { ValidationPipe as Pipe, Get } from '@nestjs/common';",
      "import { Get } from '@nestjs/common';\nimport { ValidationPipe as Pipe } from '@sluice/engine/nest';",
    ],
    [
      'of both libraries: there is one of the package',
      "import { validate } from 'class-validator';\nimport { plainToInstance } from 'class-transformer';\nstart();\n",
      "import { validate, plainToInstance } from '@sluice/engine';\nstart();\n",
    ],
    [
      'next to one of the package',
      "import { explain } from '@sluice/engine';\nimport { IsInt, validate } from 'class-validator';\n",
      "import { explain, validate } from '@sluice/engine';\nimport { IsInt } from 'class-validator';\n",
    ],
    [
      'of a whole library',
      "import * as cv from 'class-validator';\ncv.validate(a);\n",
      "import * as cv from '@sluice/engine';\ncv.validate(a);\n",
    ],
    [
      'that are exports',
      "export { ValidationPipe, Get } from '@nestjs/common';\n",
      "export { Get } from '@nestjs/common';\nexport { ValidationPipe } from '@sluice/engine/nest';\n",
    ],
    [
      'that are CommonJS',
      "const { validate: check, IsInt } = require('class-validator');\n",
      "const { IsInt } = require('class-validator');\nconst { validate: check } = require('@sluice/engine');\n",
    ],
    [
      'with a type among them',
      "import { type ValidationPipe, ValidationPipe as Pipe } from '@nestjs/common';",
      "import { type ValidationPipe } from '@nestjs/common';\nimport { ValidationPipe as Pipe } from '@sluice/engine/nest';",
    ],
    [
      'next to a default import',
      "import nest, { ValidationPipe } from '@nestjs/common';",
      "import nest from '@nestjs/common';\nimport { ValidationPipe } from '@sluice/engine/nest';",
    ],
  ])('are changed: those %s', (_what, before, after) => {
    expect(switched(before)).toBe(after);
    expect(switched(after)).toBe(after);
    expect(placesOf(before)).toEqual([]);
  });

  it.each([
    "import { Get } from '@nestjs/common';",
    "import type { ValidationPipe } from '@nestjs/common';",
    "import { type ValidationPipe } from '@nestjs/common';",
    "import { IsEmail, type ValidationError } from 'class-validator';",
    "import * as cv from 'class-validator'; cv.IsEmail();",
    "import 'class-validator';",
    "import { ValidationPipe } from './validation.pipe';",
    "// import { ValidationPipe } from '@nestjs/common';",
    'const text = `import { ValidationPipe } from "@nestjs/common"`;',
    "import { ValidationPipe } from '@sluice/engine/nest';",
  ])('are left, without a word: %s', (text) => {
    expect(switched(text)).toBe(text);
    expect(placesOf(text)).toEqual([]);
  });

  it.each<[text: string, place: string]>([
    ["import * as n from '@nestjs/common';\nnew n.ValidationPipe();", '2: n.ValidationPipe: import'],
    ["import * as cv from 'class-validator';\nuse(cv);", '2: cv is passed on as a whole'],
    [
      "import ct from 'class-transformer';\nct.plainToClass(A, b);",
      '2: ct.plainToClass: import plainToClass',
    ],
    ["export * from 'class-validator';", '1: it re-exports'],
    ["import { ValidationPipe } from '@nestjs/common/pipes';", '1: it is an inner file of @nestjs/common'],
    [
      "import cv = require('class-validator');\ncv.validate(a);",
      "1: 'class-validator' is used in another way",
    ],
    [
      "const cv = require('class-validator');\ncv.validate(a);",
      "1: 'class-validator' is used in another way",
    ],
    ["const { validate } = await import('class-validator');", "1: 'class-validator' is used in another way"],
    ["jest.mock('class-validator');", "1: mock('class-validator'): a test"],
    [
      "import { Get, /* all */ ValidationPipe } from '@nestjs/common';",
      '1: a comment stands beside ValidationPipe',
    ],
    [
      "import { validate } from 'class-validator' with { a: 'b' };",
      "1: 'class-validator' is used in another",
    ],
    ["import { validate } from 'class-validator';\n(", '2: it is not JavaScript'],
  ])('are left, and named: %s', (text, place) => {
    expect(switched(text)).toBe(text);
    expect(placesOf(text)).toEqual([expect.stringContaining(place)]);
  });

  it.each(['a.tsx', 'a.jsx'])('are changed in a file with JSX: %s', (path) => {
    const text = (module: string) =>
      `import { ValidationPipe } from '${module}';\nconst page = <p>it's</p>;\n`;
    expect(switchFile(ts, text('@nestjs/common'), path).text).toBe(text('@sluice/engine/nest'));
    expect(placesOf(text('@nestjs/common'), path)).toEqual([]);
  });

  it('are those of everything that is compiled', () => {
    const libraries: Record<string, object> = {
      'class-validator': classValidator,
      'class-transformer': classTransformer,
    };
    for (const [name, library] of Object.entries(libraries)) {
      const compiled = Object.keys(library).filter(
        (exported) =>
          exported !== 'default' && Reflect.get(engine, exported) !== Reflect.get(library, exported),
      );
      expect([...replacedNames[name].names].toSorted()).toEqual(compiled.toSorted());
    }
  });
});
