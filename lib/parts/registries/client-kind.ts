import type { Digest } from '../../../formats/digest.ts';
import type { Answer, Body, HttpTiming, Request, Transport } from '../../kernel/http/index.ts';
import type { RegistryOptions } from './options.ts';
import type { RepositoryTarget } from './repository-target.ts';
import type { Tokens } from './token-cache.ts';

/** What a request wants to do in the repository. */
export type Actions = 'pull' | 'pull,push';

/** What a request needs to be allowed. */
export interface Wish {
  readonly actions: Actions;
  /** Another repository that it also reads. */
  readonly reads?: string | undefined;
}

/** What is asked of a repository. */
export interface Call extends Wish {
  readonly method: Request['method'];
  /** Below `/v2/<repository>/`, or an absolute URL that an upload was given. */
  readonly to: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** The algorithm of digests in its body, where that is not SHA-256: some registries do not know it. */
  readonly algorithm?: string | undefined;
  /** Memory for the answer, as `Request` has it. */
  readonly into?: Request['into'];
  /** How far in an absolute URL may lead, as `Request` has it. */
  readonly sentBy?: Request['sentBy'];
  readonly outside?: Request['outside'];
  readonly signal?: AbortSignal | undefined;
}

/** Talks to one repository: authenticates, repeats, follows redirects, and says in words what failed. */
export interface Client {
  /** Host and repository, for messages. */
  readonly name: string;
  readonly target: RepositoryTarget;
  /** What it shares with those of other repositories. */
  readonly shared: Shared;
  /**
   * Sends a call, and returns its answer whatever its status. Throws `registry-unreachable`, `registry-denied`,
   * `registry-error`.
   */
  send(call: Call): Promise<Answer>;
  /** Makes the error about an answer of no use; reads its body. */
  failure(call: Call, answer: Answer): Promise<Error>;
  /** Runs `work`, which reads an answer of `call`, so that a broken connection ends in `registry-unreachable`. */
  reading<T>(call: Call, work: () => Promise<T>): Promise<T>;
  /**
   * Waits, and says whether a broken transfer may be taken up again; false, at once, after the attempt that is one
   * too many.
   */
  recover(error: unknown, attempt: number, signal?: AbortSignal): Promise<boolean>;
  /** Does the same for an answer whose status may pass, and keeps to its `Retry-After`. */
  patience(answer: Answer, attempt: number, signal?: AbortSignal): Promise<boolean>;
}

/** Which repositories of a registry are known to hold a blob, so that others can have it from there. */
export interface KnownBlobs {
  add(registry: string, repository: string, digest: Digest): void;
  /** Returns another repository than `repository` that holds it. */
  elsewhere(registry: string, repository: string, digest: Digest): string | undefined;
}

/** What the repositories that are opened together share. */
export interface Shared {
  readonly options: RegistryOptions;
  readonly timing: HttpTiming;
  readonly transport: Transport;
  readonly tokens: Tokens;
  readonly known: KnownBlobs;
  /** Runs `work` after all that was given before under the same name. */
  serially<T>(name: string, work: () => Promise<T>): Promise<T>;
}
