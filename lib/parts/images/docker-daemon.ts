import type { IncomingMessage } from 'node:http';
import { parseReference } from '../../../formats/oci/reference.ts';
import { reasonOf, refused, SolpackError } from '../../kernel/events/index.ts';
import { http } from '../../kernel/http/index.ts';
import { dockerArchiveSource } from './docker-archive.ts';
import { closingOnFailure, tarIn } from './files.ts';
import type { ImageSourceKind } from './kind.ts';
import { spool } from './spool.ts';

/** Docker's default address. */
const USUAL = 'unix:///var/run/docker.sock';
/** Most bytes that are read of an error of the daemon. */
const SAID = 64 * 1024;

/**
 * `docker-daemon:reference`: an image of this machine's Docker. The answer to `GET /images/{name}/get` is stored in a
 * temporary file while it is read, because a tar archive has no directory.
 */
export const dockerDaemon: ImageSourceKind = {
  transport: 'docker-daemon',
  open: async (location, context) => {
    const spec = `docker-daemon:${location}`;
    const hint = 'write docker-daemon:REFERENCE; "docker images" lists the references';
    await refused('source-invalid', spec, () => parseReference(location), hint);
    const address = context.daemons.docker ?? USUAL;
    const answer = await ask(spec, address, `/images/${encodeURIComponent(location)}/get`, context.signal);
    const file = await spool(answer, context.host);
    const tar = await tarIn(file, spec, file.path);
    return { name: location, source: await closingOnFailure(tar, () => dockerArchiveSource(tar)) };
  },
};

/**
 * Requests something from the daemon, and returns the body of its answer. Throws `source-invalid` where the answer is
 * an error, `image-absent` where it is 404.
 */
async function ask(
  spec: string,
  address: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const unreachable = (why: string, cause?: unknown): SolpackError =>
    new SolpackError('source-invalid', spec, `Docker does not answer at ${address}: ${why}`, {
      side: 'source',
      cause,
      hint: 'check that it runs, that you may use its socket, and DOCKER_HOST',
    });
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const to = placeOf(address);
    if (!to) return reject(unreachable('only unix:// and tcp:// addresses can be used'));
    http
      .request({ ...to, path, headers: { host: 'docker' }, ...(signal ? { signal } : {}) }, resolve)
      .on('error', (error) => reject(signal?.aborted ? signal.reason : unreachable(reasonOf(error), error)))
      .end();
  });
  if (message.statusCode === 200) return whole(spec, message);
  const said = await saidBy(message);
  const code = message.statusCode === 404 ? 'image-absent' : 'source-invalid';
  throw new SolpackError(code, spec, `Docker answered with status ${message.statusCode}: ${said}`, {
    side: 'source',
    hint: '"docker images" lists what there is',
  });
}

function placeOf(address: string): { socketPath: string } | { host: string; port: string } | undefined {
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length) };
  const url = address.startsWith('tcp://') && URL.canParse(address) ? new URL(address) : undefined;
  return url && { host: url.hostname, port: url.port || '2375' };
}

async function* whole(spec: string, message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* message;
  } catch (cause) {
    throw new SolpackError('source-invalid', spec, `Docker closed the connection: ${reasonOf(cause)}`, {
      side: 'source',
      cause,
      hint: 'read the log of the daemon, and try again',
    });
  }
}

/** Reads an error of the daemon: the field `message` of a small JSON object. */
async function saidBy(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) {
    text += chunk;
    if (text.length > SAID) break;
  }
  try {
    return String((JSON.parse(text) as { message?: unknown }).message).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  } catch {
    return 'nothing else';
  }
}
