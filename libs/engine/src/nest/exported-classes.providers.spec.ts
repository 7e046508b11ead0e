import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassSerializerInterceptor, ValidationPipe } from '@nestjs/common';
import * as entry from '../nest';
import { exportedClasses } from './exported-classes.providers';
import { whyNestIsLeft } from './installed-nest.bootstrap';

describe('the version of Nest', () => {
  let folder = '';
  const main = () => join(folder, 'main.js');
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-nest-'));
    mkdirSync(join(folder, 'node_modules/@nestjs/common'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each<[version: string, why: string | undefined]>([
    ['9.4.3', 'NestJS 9.4.3 is not one of the tested versions, 10 to 12: npm install @nestjs/common@12'],
    ['10.0.0', undefined],
    ['12.99.0', undefined],
    ['13.0.0', 'NestJS 13.0.0 is not one of the tested versions, 10 to 12: npm install @nestjs/common@12'],
  ])('is looked at: %s', (version, why) => {
    const manifest = join(folder, 'node_modules/@nestjs/common/package.json');
    writeFileSync(manifest, JSON.stringify({ name: '@nestjs/common', version }));
    // A manifest is read once per process.
    delete require.cache[manifest];
    expect(whyNestIsLeft(main())).toBe(why);
  });

  it('may be unknown, as in a bundle', () => {
    expect(whyNestIsLeft(join(tmpdir(), 'nowhere/main.js'))).toBeUndefined();
  });

  it('decides between the compiled classes and Nest’s own, with one line', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const why = 'NestJS 8 is not one of the tested versions';
    for (let time = 0; time < 2; time++)
      expect(exportedClasses(why)).toEqual({ pipe: ValidationPipe, interceptor: ClassSerializerInterceptor });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      `Nothing is compiled: ${why}. The libraries are used instead.`,
    ]);
    const compiled = exportedClasses(undefined);
    expect([entry.ValidationPipe, entry.ClassSerializerInterceptor]).toEqual([
      compiled.pipe,
      compiled.interceptor,
    ]);
    expect(Object.getPrototypeOf(Object.getPrototypeOf(compiled.pipe))).toBe(ValidationPipe);
  });
});
