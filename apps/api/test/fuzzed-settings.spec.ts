import { fuzzSettings } from '@app/service/testing';
import { z } from 'zod';
import { program } from '../src/api.program';

describe('generated environments', () => {
  it('have no misspelt name accepted, no foreign name refused, no secret repeated and no wrong hint', () => {
    expect(fuzzSettings(program, 3000, 20261127).difference).toBeUndefined();
  });

  it('show an example that is not valid', () => {
    const declarations = {
      DEPTH: z
        .string()
        .regex(/^\d+$/, { error: 'must be a number' })
        .optional()
        .meta({ examples: ['deep'] }),
    };
    expect(fuzzSettings({ declarations }, 1000, 1).difference).toMatch(/^the hint deep is refused/);
  });

  it('show a secret in a message', () => {
    const declarations = {
      PIN: z
        .string()
        .transform((text, context) => {
          context.addIssue({ code: 'custom', message: `must not be ${text}` });
          return z.NEVER;
        })
        .optional()
        .meta({ secret: true }),
    };
    expect(fuzzSettings({ declarations }, 1000, 1).difference).toMatch(
      /the message about PIN repeats its value/,
    );
  });
});
