import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { decodeJson } from '../../../formats/json.ts';
import { z } from '../../../formats/schema.ts';
import { findTool, type Host, SolpackError } from '../../kernel/events/index.ts';
import { type ProgramEnd, runProgram } from '../../kernel/machine/index.ts';
import type { AskHelper, Credentials } from './credentials.ts';

/** The environment of a helper. */
export interface HelperContext {
  readonly host: Host;
  /** Its whole environment: helpers find keychains and cloud accounts there. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** How long a helper may take, in milliseconds: it may ask a person. */
const PATIENCE = 60_000;
/** The largest answer that is read, in bytes. */
const LIMIT = 128 * 1024;

const answer = z.looseObject({ Username: z.string(), Secret: z.string() });

/**
 * Asks docker's credential helpers: `docker-credential-NAME get` reads the server from standard input and answers with
 * JSON; the user `<token>` stands for an identity token. Throws `credentials-invalid`, `tool-missing`.
 */
export function credentialHelpers(context: HelperContext): AskHelper {
  return async (name, server, path) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
      throw failed(
        path,
        `names a credential helper ${JSON.stringify(name)}, which is not a valid name`,
        'correct the file',
      );
    }
    const program = `docker-credential-${name}`;
    const full = await findTool(context.host, program, `${path} names it; install it, or log in without it`);
    const end = await runProgram(full, ['get'], {
      cwd: context.host.temp,
      env: context.env,
      timeout: PATIENCE,
      limit: LIMIT,
      signal: context.signal,
      onLine: () => undefined,
      input: utf8(server),
    });
    if (end.code === 0 && !end.tooMuch && !end.timedOut) return credentialsOf(program, end);
    const said = Buffer.from(end.stdout).toString();
    // The words by which every helper says that it knows nothing of a server; they come with code 1.
    if (/credentials not found/i.test(`${said} ${end.last.join(' ')}`)) return undefined;
    const how = end.timedOut ? 'did not answer in time' : end.tooMuch ? 'answered too much' : `ended with ${end.code}`;
    throw failed(program, `${how} when it was asked for ${server}`, `run "echo ${server} | ${program} get" by hand`);
  };
}

function credentialsOf(program: string, { stdout }: ProgramEnd): Credentials | undefined {
  try {
    const { Username, Secret } = decodeJson(stdout, answer, 'json-invalid', 'its answer');
    if (Secret === '') return undefined;
    if (Username === '<token>') return { username: '', password: '', identityToken: Secret };
    return { username: Username, password: Secret };
  } catch (error) {
    // What it said may hold the secret, and is not repeated.
    if (error instanceof FormatError) throw failed(program, 'answered what is not {"Username", "Secret"}', 'update it');
    throw error;
  }
}

function failed(subject: string, message: string, hint: string): SolpackError {
  return new SolpackError('credentials-invalid', subject, message, { hint });
}
