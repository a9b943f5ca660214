import { FormatError } from '../../../formats/error.ts';
import { decodeJson } from '../../../formats/json.ts';
import { listOf, z } from '../../../formats/schema.ts';
import { fromFormat } from '../../kernel/events/index.ts';
import type { Call, Client } from './client-kind.ts';
import { pages } from './list-pages.ts';
import { hostOf } from './repository-target.ts';

/** How many names are asked for at once. */
const PAGE = 1000;
/** How many repositories of one registry are read. */
const MOST = 1_000_000;

const schema = z.object({ repositories: listOf(z.string()).nullish() });

/**
 * Returns the names of all repositories of the client's registry, as `serve` and Distribution tell them at
 * `/v2/_catalog`; none where it does not tell.
 */
export async function listCatalog(client: Client, signal?: AbortSignal): Promise<readonly string[]> {
  const { scheme, registry } = client.target;
  const to = new URL(`/v2/_catalog?n=${PAGE}`, `${scheme}://${hostOf(registry)}/`);
  const call: Call = { method: 'GET', to, actions: 'pull', signal };
  const answer = await client.send(call);
  if (answer.status === 404 || answer.status === 405) {
    answer.discard();
    return [];
  }
  const names = new Set<string>();
  try {
    for await (const { bytes } of pages(client, call, answer)) {
      const page = decodeJson(bytes, schema, 'json-invalid', 'the list of repositories');
      for (const name of page.repositories ?? []) names.add(name);
      if (names.size > MOST) throw new FormatError('size-mismatch', `more than ${MOST} repositories`);
    }
  } catch (error) {
    throw fromFormat('registry-error', client.name, error, 'check the registry, and the proxy in front of it');
  }
  return [...names].sort();
}
