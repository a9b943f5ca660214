import { setTimeout as sleep } from 'node:timers/promises';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { basicAuthorization } from '../../kernel/http/index.ts';
import { joinMirrors, leaveMirrors, type MirrorResult, type MirrorServer } from '../../parts/mirrors/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import { askServer } from './ask-server.ts';
import { configuredRegistries } from './configured-registries.ts';

export {
  /** How a node pulls the images of a registry. */
  type NodeMirror,
  /** Returns how the containerd of this node pulls the images of `registries`. */
  nodeMirrors,
} from './node-mirrors.ts';

/** From where a node has to pull, and which images. */
export interface JoinMirrorRequest {
  /** The `config_path` of containerd's CRI plugin. An absolute path. */
  readonly hostsDir: string;
  /** URLs of servers, the one that is asked first before the others. */
  readonly servers: readonly string[];
  /** PEM text of the authorities to trust beside the system's. */
  readonly ca?: string | undefined;
  readonly login?: { readonly username: string; readonly password: string } | undefined;
  /** `HOST[:PORT]`, as in references. Left out: those of `configuration`, otherwise those that the servers tell. */
  readonly registries?: readonly string[] | undefined;
  /** A SolutionsConfiguration, for the registries of the images of its archives. An absolute path. */
  readonly configuration?: string | undefined;
  readonly media?: MediaContext | undefined;
  /** Continues where a server does not answer, as long as one does. */
  readonly allowUnreachable?: boolean;
}

/** From where a node pulls now. */
export interface JoinMirrorResult extends MirrorResult {
  /** Those that were asked for; what was joined before stays joined. */
  readonly registries: readonly string[];
  readonly servers: readonly {
    readonly url: string;
    /** The registries whose images it says it has; null where it does not answer. */
    readonly serves: readonly string[] | null;
  }[];
}

/**
 * Makes the containerd of this node pull from servers: checks that each answers with this authority and this password,
 * and writes a `hosts.toml` for each registry. A second call with the same request changes nothing. Throws
 * `registry-unreachable`, `registry-denied`, `registry-error`, `usage-invalid`, and what `joinMirrors` throws, before
 * anything is written.
 */
export async function joinMirror(request: JoinMirrorRequest, flow: Flow): Promise<JoinMirrorResult> {
  const { hostsDir, ca, login } = request;
  const authorization = login && basicAuthorization(`${login.username}:${login.password}`);
  const servers = [...new Set(request.servers)].map((url): MirrorServer => ({ url, ca, authorization }));
  const answers = await answersOf(servers, request, flow);
  if (answers.every((answer) => 'error' in answer)) throw answers[0]!.error;
  const answered = answers.map((answer, index) => ({
    url: servers[index]!.url,
    serves: 'error' in answer ? null : answer.serves,
  }));
  const registries = await registriesOf(
    request,
    answered.flatMap(({ serves }) => serves ?? []),
    flow,
  );
  warn(request, answered, registries, flow);
  return { registries, servers: answered, ...(await joinMirrors(hostsDir, registries, servers)) };
}

/** What a server answers. */
type Answer =
  | { readonly serves: readonly string[]; readonly error?: never }
  | { readonly serves?: never; readonly error: unknown };

/**
 * How long servers may take to see what was imported just before, and how long until they are asked again, in
 * milliseconds.
 */
const PATIENCE = 10_000;
const PAUSE = 500;

/**
 * Asks servers, and asks them again for a while if nothing else says which registries to join, and they report none
 * yet.
 */
async function answersOf(servers: readonly MirrorServer[], request: JoinMirrorRequest, flow: Flow): Promise<Answer[]> {
  const { registries = [], configuration } = request;
  const ask = (own: Flow): Promise<Answer[]> => Promise.all(servers.map((server) => answerOf(server, request, own)));
  const end = performance.now() + PATIENCE;
  const isEnough = (given: readonly Answer[]): boolean =>
    registries.length > 0 ||
    configuration !== undefined ||
    given.every((one) => 'error' in one) ||
    given.some((one) => one.serves !== undefined && one.serves.length > 0);
  let answers = await ask(flow);
  if (isEnough(answers)) return answers;
  const subject = `${servers.map(({ url }) => url).join(' and ')} to serve an image`;
  flow.onEvent({ type: 'step', step: 'wait', subject });
  while (!isEnough(answers) && performance.now() < end) {
    await sleep(PAUSE, undefined, { signal: flow.signal });
    answers = await ask({ ...flow, onEvent: () => undefined });
  }
  return answers;
}

async function answerOf(server: MirrorServer, { allowUnreachable }: JoinMirrorRequest, flow: Flow): Promise<Answer> {
  flow.onEvent({ type: 'step', step: 'ask', subject: server.url });
  try {
    return { serves: await askServer(server, flow) };
  } catch (error) {
    if (!allowUnreachable || !(error instanceof SolpackError) || error.code !== 'registry-unreachable') throw error;
    flow.onEvent({ type: 'notice', subject: server.url, message: `is joined anyway: ${error.message}` });
    return { error };
  }
}

async function registriesOf(
  { registries, configuration, media }: JoinMirrorRequest,
  answered: readonly string[],
  flow: Flow,
): Promise<readonly string[]> {
  const named = registries ?? [];
  const configured = configuration === undefined ? [] : await configuredRegistries(configuration, media, flow);
  const wanted = [...named, ...configured];
  const all = wanted.length > 0 || configuration !== undefined ? wanted : answered;
  if (all.length > 0) return [...new Set(all)].sort();
  throw new SolpackError('usage-invalid', 'join-mirror', 'the servers report no image that has a registry', {
    hint: 'name registries by --registry, or serve the archives first',
  });
}

/** Reports what a node would find out when it pulls. */
function warn(
  { servers, login }: JoinMirrorRequest,
  answered: JoinMirrorResult['servers'],
  registries: readonly string[],
  { onEvent }: Flow,
): void {
  for (const { url, serves } of answered) {
    const lacking = registries.filter((registry) => serves?.includes(registry) === false);
    if (lacking.length === 0) continue;
    onEvent({ type: 'notice', subject: url, message: `reports no image of ${lacking.join(', ')} at the moment` });
  }
  if (login === undefined) return;
  for (const url of servers.filter((one) => one.startsWith('http:'))) {
    onEvent({ type: 'notice', subject: url, message: 'the password is sent to it without TLS' });
  }
}

/** Which mirrors to undo. */
export interface LeaveMirrorRequest {
  /** As in `JoinMirrorRequest`. */
  readonly hostsDir: string;
  /** Left out: all that were joined. */
  readonly registries?: readonly string[] | undefined;
}

/**
 * Undoes `joinMirror`. Files that somebody has edited, and files that an install needs, stay. Throws
 * `output-unwritable`.
 */
export async function leaveMirror({ hostsDir, registries }: LeaveMirrorRequest): Promise<MirrorResult> {
  return leaveMirrors(hostsDir, registries);
}
