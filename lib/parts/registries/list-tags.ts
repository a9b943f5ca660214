import { FormatError } from '../../../formats/error.ts';
import { decodeJson } from '../../../formats/json.ts';
import { isTag } from '../../../formats/oci/reference.ts';
import { listOf, z } from '../../../formats/schema.ts';
import { fromFormat } from '../../kernel/events/index.ts';
import type { Call, Client } from './client-kind.ts';
import { pages } from './list-pages.ts';

/** How many tags are asked for at once: some registries refuse more. */
const PAGE = 1000;
/** How many tags of one repository are read. */
const MOST = 1_000_000;

const schema = z.object({ tags: listOf(z.string()).nullish() });

/**
 * Returns the tags of a repository, sorted (distribution-spec "Listing Tags"); none where the registry does not know
 * it.
 */
export async function listTags(client: Client, signal?: AbortSignal): Promise<readonly string[]> {
  const call: Call = { method: 'GET', to: `tags/list?n=${PAGE}`, actions: 'pull', signal };
  const answer = await client.send(call);
  if (answer.status === 404) {
    answer.discard();
    return [];
  }
  // Some registries begin a page with the last tag of the previous one.
  const tags = new Set<string>();
  try {
    for await (const { bytes } of pages(client, call, answer)) {
      const page = decodeJson(bytes, schema, 'json-invalid', 'the list of tags');
      for (const tag of page.tags ?? []) if (isTag(tag)) tags.add(tag);
      if (tags.size > MOST) throw new FormatError('size-mismatch', `more than ${MOST} tags`);
    }
  } catch (error) {
    throw fromFormat('registry-error', client.name, error, 'check the registry, and the proxy in front of it');
  }
  return [...tags].sort();
}
