import { z } from '../../../../../../formats/schema.ts';
import { ApiError, type LiveObject, type Resource } from '../api.ts';
import type { ApiCall, ApiSession } from './api-session.ts';
import { complete, metadataAlone } from './object-calls.ts';
import { resourcePath } from './resource-path.ts';

/** Objects of one page (Kubernetes API concepts, "Retrieving large results sets in chunks"). */
const PAGE = 500;
/** How often a list is begun again, because it changed faster than it could be read. */
const RESTARTS = 5;

const page = z.looseObject({
  metadata: z.looseObject({ continue: z.string().nullish() }).nullish(),
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })).nullish(),
});

/** Which objects are listed. */
export interface Filter {
  readonly namespace?: string;
  readonly labels?: string;
  readonly fields?: string;
  /** Only type and metadata are asked for (Kubernetes API concepts, "Metadata-only fetches"). */
  readonly metadata?: true;
  /** How many are listed at most, from one on: those that the server names first. Left out: all. */
  readonly atMost?: number;
}

/** Lists objects page by page, in smaller pages where objects are large. Throws `ApiError`. */
export async function listObjects(
  session: Pick<ApiSession, 'send'>,
  resource: Resource,
  { namespace, labels, fields, metadata, atMost = Number.POSITIVE_INFINITY }: Filter,
  signal: AbortSignal,
): Promise<readonly LiveObject[]> {
  const { group, version, kind, plural } = resource;
  const what = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
  let objects: LiveObject[] = [];
  let size = Math.min(PAGE, atMost);
  let restarts = 0;
  for (let token: string | undefined; ; ) {
    const call: ApiCall = {
      method: 'GET',
      path: resourcePath(resource, { namespace }),
      query: {
        limit: String(Math.min(size, atMost - objects.length)),
        continue: token,
        labelSelector: labels,
        fieldSelector: fields,
      },
      ...(metadata ? { headers: { accept: metadataAlone('PartialObjectMetadataList') } } : {}),
      verb: 'list',
      subject: namespace === undefined ? plural : `${plural} of ${namespace}`,
      signal,
    };
    try {
      const found = await readPage(session, call);
      objects.push(...(found.items ?? []).map((item) => complete(item, what)));
      token = found.metadata?.continue || undefined;
      if (token === undefined || objects.length >= atMost) return objects.slice(0, atMost);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'TooLarge' && size > 1) size = Math.ceil(size / 10);
      else if (error.status === 410 && token !== undefined && restarts < RESTARTS) {
        // The snapshot that the pages came from is gone, and a part of another would not fit to them.
        restarts += 1;
        token = undefined;
        objects = [];
      } else throw error;
    }
  }
}

async function readPage(session: Pick<ApiSession, 'send'>, call: ApiCall): Promise<z.infer<typeof page>> {
  const reply = await session.send(call);
  const found = page.safeParse(reply.json()).data;
  if (!found) throw new ApiError(call, { status: reply.status }, 'the answer holds no list of objects');
  return found;
}
