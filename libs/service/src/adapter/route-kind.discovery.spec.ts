import { InputPipe } from '@app/contract';
import {
  Controller,
  Get,
  Header,
  Redirect,
  Render,
  Sse,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  VersioningType,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../program/service-settings';
import { silentLogs } from '../logs/open-logs';
import { validationOptions } from '../program/create-program.bootstrap';
import { ErrorFilter } from '../errors/error.filter';
import { kindOf, type RouteKind } from './route-kind.discovery';

const settings = readSettings(serviceSettings, {});
const pipe = new InputPipe(validationOptions);
const filter = new ErrorFilter(settings, silentLogs().log);

function ownParts(): ApplicationConfig {
  const config = new ApplicationConfig();
  config.useGlobalPipes(pipe);
  config.useGlobalFilters(filter);
  return config;
}

function kindWith(on: ClassDecorator, handler: MethodDecorator = () => {}, config = ownParts()): RouteKind {
  class Things {
    @handler
    read(this: void): void {}
  }
  on(Things);
  const handled = { controller: Things, instance: new Things(), name: 'read', isStatic: true };
  return kindOf('GET', handled, { config });
}

describe('a route', () => {
  it('is compiled if nothing but ours belongs to it', () => {
    expect(kindWith(Controller('things'), Get()).kind).toBe('compiled');
  });

  it('is compiled with header fields, which are a step of it', () => {
    expect(kindWith(Controller('things'), Header('X-Fixed', 'yes'))).toMatchObject({
      kind: 'compiled',
      parts: { headers: [{ name: 'X-Fixed', value: 'yes' }] },
    });
  });

  it('is compiled with versions in paths', () => {
    const config = ownParts();
    config.enableVersioning({ type: VersioningType.URI });
    expect(kindWith(Controller('things'), Get(), config).kind).toBe('compiled');
  });

  it.each<[string, (config: ApplicationConfig) => void]>([
    [
      'each request has a version',
      (config) => config.enableVersioning({ type: VersioningType.HEADER, header: 'version' }),
    ],
    [
      'the program has a hook before requests',
      (config) => config.registerPreRequestHook((_context, next) => next()),
    ],
    ['the program has a pipe of its own', (config) => config.addGlobalPipe(pipe)],
    ['the program has an exception filter of its own', (config) => config.addGlobalFilter(filter)],
  ])('is foreign if %s', (reason, add) => {
    const config = ownParts();
    add(config);
    expect(kindWith(Controller('things'), Get(), config)).toEqual({ kind: 'foreign', reason });
  });

  it('is foreign if two controllers have its name', () => {
    expect(kindOf('GET', undefined, { config: ownParts() })).toMatchObject({
      kind: 'foreign',
      reason: expect.stringContaining('two controllers'),
    });
  });
});

describe('a route is foreign', () => {
  class Part {
    transform(value: unknown): unknown {
      return value;
    }
    canActivate(): boolean {
      return true;
    }
    catch(): void {}
    intercept(): never {
      throw new Error('not called');
    }
  }

  it.each<[string, ClassDecorator]>([
    ['a host', Controller({ host: 'things.example.com' })],
    ['@UsePipes()', UsePipes(Part)],
    ['@UseGuards()', UseGuards(Part)],
    ['@UseFilters()', UseFilters(Part)],
    ['@UseInterceptors()', UseInterceptors(Part)],
  ])('with this on its class: %s', (part, decorator) => {
    expect(kindWith(decorator)).toEqual({ kind: 'foreign', reason: `${part} belongs to it` });
  });

  it.each<[string, MethodDecorator]>([
    ['@UsePipes()', UsePipes(Part)],
    ['@UseGuards()', UseGuards(Part)],
    ['@UseFilters()', UseFilters(Part)],
    ['@UseInterceptors()', UseInterceptors(Part)],
    ['@Redirect()', Redirect('/')],
    ['@Render()', Render('view')],
    ['@Sse()', Sse()],
  ])('with this on its handler: %s', (part, decorator) => {
    expect(kindWith(Controller('things'), decorator)).toEqual({
      kind: 'foreign',
      reason: `${part} belongs to it`,
    });
  });
});
