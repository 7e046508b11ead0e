import { ValidationPipe } from '@app/engine';
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
import { hasOwnParts, knownParts } from './route-parts.discovery';

describe('the global parts of a program', () => {
  const settings = readSettings(serviceSettings, {});
  const pipe = new ValidationPipe(validationOptions);
  const filter = new ErrorFilter(settings, silentLogs().log);
  const configure = () => {
    const config = new ApplicationConfig();
    config.useGlobalPipes(pipe);
    config.useGlobalFilters(filter);
    return config;
  };

  it('are known when they are ours and there are no others', () => {
    expect(knownParts(configure())).toEqual({ guard: undefined, pipe, filter });
  });

  it('are known with versions in paths', () => {
    const config = configure();
    config.enableVersioning({ type: VersioningType.URI });
    expect(knownParts(config)).toBeDefined();
  });

  it.each<[string, (config: ApplicationConfig) => void]>([
    [
      'versions of requests',
      (config) => config.enableVersioning({ type: VersioningType.HEADER, header: 'version' }),
    ],
    ['a hook before requests', (config) => config.registerPreRequestHook((_context, next) => next())],
    ['a second pipe', (config) => config.addGlobalPipe(pipe)],
    ['a second filter', (config) => config.addGlobalFilter(filter)],
  ])('are not known when there are %s', (_what, add) => {
    const config = configure();
    add(config);
    expect(knownParts(config)).toBeUndefined();
  });
});

describe('features that only Nest implements', () => {
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
  const controllerWith = (on: ClassDecorator, handler: MethodDecorator = () => {}) => {
    class Things {
      @handler
      read(this: void): void {}
    }
    on(Things);
    return hasOwnParts(Things.prototype.read, Things);
  };

  it('are not found on a plain controller', () => {
    expect(controllerWith(Controller('things'), Get())).toBe(false);
  });

  it.each<[string, ClassDecorator]>([
    ['a host', Controller({ host: 'things.example.com' })],
    ['a pipe', UsePipes(Part)],
    ['a guard', UseGuards(Part)],
    ['a filter', UseFilters(Part)],
    ['an interceptor', UseInterceptors(Part)],
  ])('are found on a class: %s', (_what, decorator) => {
    expect(controllerWith(decorator)).toBe(true);
  });

  it.each<[string, MethodDecorator]>([
    ['a pipe', UsePipes(Part)],
    ['a guard', UseGuards(Part)],
    ['a filter', UseFilters(Part)],
    ['an interceptor', UseInterceptors(Part)],
    ['a header', Header('X-Fixed', 'yes')],
    ['a redirect', Redirect('/')],
    ['a view', Render('view')],
    ['events', Sse()],
  ])('are found on a handler: %s', (_what, decorator) => {
    expect(controllerWith(Controller('things'), decorator)).toBe(true);
  });
});
