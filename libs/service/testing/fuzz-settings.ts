import { Random } from '@app/engine/testing';
import { type Declarations, declared, isSecret, withMembers } from '@app/settings';
import { type ProgramDeclarations, readProgramSettings } from '../src/program/read-program-settings';
import { SettingsError, type SettingsProblem } from '../src/settings/errors';

/** The {@link fuzzSettings} result. */
export interface SettingsTally {
  readonly cases: number;
  /** The number of environments that the program refused. */
  readonly refused: number;
  /** The first environment with a wrong result. */
  readonly difference?: string;
}

/** Names that shells, containers, package managers, clouds and test runners set. */
const foreignNames =
  'PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TERM PWD OLDPWD SHLVL HOSTNAME HOSTTYPE MAIL EDITOR PAGER TZ TMPDIR TMP TEMP DISPLAY COLORTERM COLUMNS LINES NODE NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE INIT_CWD npm_config_user_agent npm_lifecycle_event npm_package_name YARN_VERSION CI GITHUB_ACTIONS GITHUB_SHA GITHUB_REF GITLAB_CI RUNNER_OS KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP POD_NAME POD_NAMESPACE CONTAINER DOCKER_HOST COMPOSE_PROJECT_NAME AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY GOOGLE_CLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS K_SERVICE K_REVISION DYNO FLY_APP_NAME RENDER_SERVICE_ID RAILWAY_ENVIRONMENT WEBSITE_HOSTNAME INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID NOTIFY_SOCKET OTEL_RESOURCE_ATTRIBUTES OTEL_LOGS_EXPORTER OTEL_METRICS_EXPORTER VITEST VITEST_MODE FORCE_COLOR NO_COLOR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy SSL_CERT_FILE PGHOST PGUSER PGPASSWORD PGDATABASE REDIS_URL SSH_AUTH_SOCK SSH_CLIENT XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS VSCODE_PID WT_SESSION SystemRoot ComSpec PATHEXT ProgramFiles'.split(
    ' ',
  );
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_'.split('');
const marker = 'Zq7-marker-of-a-secret';
const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '250',
  '1e3',
  '٣',
  '5s',
  '5 s',
  '1h30m',
  '99999d',
  '5/1h',
  '0/1h',
  '5/0s',
];
const moreTexts = [
  'on',
  'ON',
  'off',
  'true',
  'null',
  '{}',
  '[',
  'a b',
  'a=b',
  '\n',
  '\u001B[2J',
  '\u202E',
  '語',
];
const urls = [
  'http:',
  'http://',
  'https://a',
  'sqlite:',
  'sqlite:/x',
  'postgres://u:p@h/d?x=1',
  's3://b/p',
  '//',
];

/**
 * Reads generated environments with a program's settings.
 *
 * Checks that a misspelt name is refused with a setting's name, that names from foreign programs are accepted, and that a
 * message is a single line, repeats no secret, and gives a valid example.
 *
 * @param definition the program's settings and checks
 */
export function fuzzSettings<D extends Declarations>(
  definition: ProgramDeclarations<D>,
  cases: number,
  seed: number,
): SettingsTally {
  const random = new Random(seed);
  const fuzz = new SettingsFuzz(definition, random);
  let refused = 0;
  for (let count = 1; count <= cases; count++) {
    const check = random.pick([fuzz.misspelt, fuzz.foreign, fuzz.value, fuzz.values]);
    const { env, problems, difference } = check.call(fuzz);
    if (problems.length > 0) refused++;
    if (difference !== undefined)
      return { cases: count, refused, difference: `${difference}: ${JSON.stringify(env)}` };
  }
  return { cases, refused };
}

interface Outcome {
  readonly env: Record<string, string>;
  readonly problems: readonly SettingsProblem[];
  readonly difference?: string;
}

class SettingsFuzz<D extends Declarations> {
  private readonly settings: readonly { readonly name: string; readonly isSecret: boolean }[];
  private readonly names: ReadonlySet<string>;
  /** The members of families, in a set named `ACME`. */
  private readonly members: readonly string[];
  /** The names of members, in sets with any name. */
  private readonly forms: readonly RegExp[];
  private readonly valid: ReadonlyMap<string, readonly string[]>;

  constructor(
    private readonly definition: ProgramDeclarations<D>,
    private readonly random: Random,
  ) {
    const { declarations } = definition;
    const single = Object.entries(declarations).filter(([, schema]) => !declared(schema).members);
    this.settings = single.map(([name, schema]) => ({ name, isSecret: isSecret(name, schema) }));
    const names = withMembers(declarations).map(([name]) => name);
    this.names = new Set(names.map((name) => name.replace('<NAME>', 'ACME')));
    this.members = [...this.names].filter((name) => !(name in declarations));
    this.forms = names.map((name) => new RegExp(`^${name.replace('<NAME>', '[A-Z][A-Z0-9_]*')}$`));
    this.valid = new Map(single.map(([name, schema]) => [name, declared(schema).examples ?? []]));
  }

  /** Checks that a name with a single edit is refused, with the name of a setting in the message. */
  misspelt(): Outcome {
    const whole = this.random.pick([this.random.pick(this.settings).name, ...this.members]);
    const name = this.edited(whole);
    const env = { [name]: marker };
    const problems = this.problemsOf(env);
    if (this.names.has(name) || this.forms.some((form) => form.test(name))) return { env, problems };
    const problem = problems.find((candidate) => candidate.name === name)?.problem ?? '';
    const [, meant = ''] = /^is not a setting\. Write ([\w<>]+)\.$/.exec(problem) ?? [];
    const isRefused =
      this.names.has(meant.replace('<NAME>', 'ACME')) ||
      /^is (?:gone|not a setting: there are )/.test(problem);
    return {
      env,
      problems,
      difference: isRefused ? this.messageFault(problems) : 'a misspelt name is accepted',
    };
  }

  /** Checks that names for foreign programs are accepted. */
  foreign(): Outcome {
    const names = Array.from({ length: 5 }, () => this.random.pick(foreignNames));
    const env = Object.fromEntries(names.map((name) => [name, this.text()]));
    const problems = this.problemsOf(env);
    const [problem] = problems;
    return {
      env,
      problems,
      difference: problem && `the name of another program is refused (${problem.name})`,
    };
  }

  /** Checks that the example in the message about a wrong value is valid. */
  value(): Outcome {
    const { name } = this.random.pick(this.settings);
    const env = { [name]: this.text() };
    const problems = this.problemsOf(env);
    const own = problems.find((problem) => problem.name === name)?.problem ?? '';
    const [, example] = / For example \w+=(.+)$/s.exec(own) ?? [];
    const hints = /: (\S+(?: or \S+)*) \(it is /.exec(own)?.[1]?.split(' or ') ?? [];
    const wrong = [...hints, ...(example === undefined ? [] : [example])].find((hint) =>
      this.isWrong(name, hint),
    );
    return {
      env,
      problems,
      difference: wrong === undefined ? this.messageFault(problems) : `the hint ${wrong} is refused`,
    };
  }

  /** Sets several settings at once, and checks that every message is a single line and repeats no secret. */
  values(): Outcome {
    const chosen = Array.from({ length: 1 + this.random.below(6) }, () => this.random.pick(this.settings));
    const env = Object.fromEntries(
      chosen.map(({ name, isSecret: hides }) => [
        name,
        hides ? marker : this.random.pick([this.text(), ...(this.valid.get(name) ?? [])]),
      ]),
    );
    const problems = this.problemsOf(env);
    return { env, problems, difference: this.messageFault(problems) };
  }

  private isWrong(name: string, value: string): boolean {
    // A value of this setting may need another setting; only a message about the form says that the hint is wrong.
    return this.problemsOf({ [name]: value }).some(
      (problem) => problem.name === name && problem.problem.startsWith('must '),
    );
  }

  /**
   * Returns the problems that the settings report.
   *
   * @throws Error for any failure but a {@link SettingsError}; it ends the fuzz
   */
  private problemsOf(env: Record<string, string>): readonly SettingsProblem[] {
    try {
      readProgramSettings(this.definition, env);
      return [];
    } catch (error) {
      if (error instanceof SettingsError) return error.problems;
      throw new Error(`reading ${JSON.stringify(env)} failed`, { cause: error });
    }
  }

  private messageFault(problems: readonly SettingsProblem[]): string | undefined {
    const messages = problems.map(({ problem }) => problem);
    // eslint-disable-next-line no-control-regex
    if (messages.some((message) => /[\0-\u001F\u007F]/.test(message)))
      return 'a message has a control character';
    const secrets = new Set(this.settings.filter((setting) => setting.isSecret).map(({ name }) => name));
    const shown = problems.find(({ name, problem }) => secrets.has(name) && problem.includes(marker));
    return shown && `the message about ${shown.name} repeats its value`;
  }

  private edited(name: string): string {
    const at = this.random.below(name.length);
    const before = name.slice(0, at);
    const [first = '', second = ''] = name.slice(at);
    const letter = this.random.pick(letters);
    return this.random.pick([
      before + name.slice(at + 1),
      before + letter + name.slice(at),
      before + letter + name.slice(at + 1),
      before + second + first + name.slice(at + 2),
      name.toLowerCase(),
    ]);
  }

  private text(): string {
    const validTexts = this.valid.get(this.random.pick(this.settings).name) ?? [];
    const text = this.random.pick([...texts, ...moreTexts, ...urls, ...validTexts]);
    return this.random.pick([text, text, text + this.random.pick(texts), text.repeat(40)]);
  }
}
