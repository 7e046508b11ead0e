import { Inject, Injectable } from '@nestjs/common';

/** The name and the version of the running program. */
export interface ProgramIdentity {
  /** The product name in the root manifest. */
  readonly name: string;
  /** The version in the root manifest. */
  readonly version: string;
  /** The application's name in `nest-cli.json`. */
  readonly application: string;
  /** The head of the API reference; default: the names. */
  readonly reference?: ReferenceHead;
}

/** The first words of the API reference and of the OpenAPI document. */
export interface ReferenceHead {
  /** The title, such as `Shop API`. */
  readonly title: string;
  /** A paragraph that says what the API is, and for whom; Markdown. */
  readonly introduction: string;
}

/** The token under which a program's {@link ProgramIdentity} is injected. */
export const PROGRAM_IDENTITY = Symbol('sluice.program-identity');

/** The service behind `GET /`. */
@Injectable()
export class AboutService {
  constructor(@Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity) {}

  /** Returns a line of plain text, such as `sluice 0.1.0 (api)`. */
  about(): string {
    const { name, version, application } = this.identity;
    return `${name} ${version} (${application})`;
  }
}
