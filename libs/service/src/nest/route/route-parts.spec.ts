import { ValidationPipe } from '@app/validation';
import { VersioningType } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { readSettings } from '../../settings/read-settings';
import { serviceSettings } from '../../settings/service-settings';
import { silentLogs } from '../../logs/open-logs';
import { validationOptions } from '../create-program';
import { ErrorFilter } from '../ingress/error.filter';
import { knownParts } from './route-parts';

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

  it.each<[string, (config: ApplicationConfig) => void]>([
    ['versions', (config) => config.enableVersioning({ type: VersioningType.URI })],
    ['a hook before requests', (config) => config.registerPreRequestHook((_context, next) => next())],
    ['a second pipe', (config) => config.addGlobalPipe(pipe)],
    ['a second filter', (config) => config.addGlobalFilter(filter)],
  ])('are not known when there are %s', (_what, add) => {
    const config = configure();
    add(config);
    expect(knownParts(config)).toBeUndefined();
  });
});
