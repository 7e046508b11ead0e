import { z } from 'zod';
import { settingsPage } from './settings-page';

describe('the settings page', () => {
  it('has one line per setting: name, default, meaning, example', () => {
    const page = settingsPage({
      PORT: z
        .string()
        .transform(Number)
        .prefault('3000')
        .describe('Where to listen.')
        .meta({ examples: ['3001'] }),
      TTL: z.string().default('60s').transform(Number).describe('How long.'),
      MODE: z.enum(['a', 'b']).default('a').describe('Either a|b.'),
      KEY: z.string().meta({ description: 'Signs.', secret: true }).optional(),
    });
    expect(page).toBe(
      [
        '| Variable | Default | Meaning | Example |',
        '| --- | --- | --- | --- |',
        '| `PORT` | `3000` | Where to listen. | `PORT=3001` |',
        '| `TTL` | `60s` | How long. |  |',
        String.raw`| ${'`MODE`'} | ${'`a`'} | Either a\|b. |  |`,
        '| `KEY` |  | Signs. |  |',
        '',
      ].join('\n'),
    );
  });
});
