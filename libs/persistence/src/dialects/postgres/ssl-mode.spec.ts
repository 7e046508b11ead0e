import { Client } from 'pg';
import { withoutWarning } from './ssl-mode';

describe('sslmode', () => {
  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    '%s verifies the server, without a warning',
    (mode) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const client = new Client({ connectionString: withoutWarning(`postgres://a@b/c?sslmode=${mode}&x=1`) });

      expect(Reflect.get(client, 'ssl')).toEqual({});
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    },
  );

  it.each(['disable', 'no-verify', 'require&uselibpqcompat=true'])('%s is left as it is', (mode) => {
    expect(withoutWarning(`postgres://a@b/c?sslmode=${mode}`)).toBe(`postgres://a@b/c?sslmode=${mode}`);
  });
});
