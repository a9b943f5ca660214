import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { RESERVED_NAMESPACE } from '../../../../../../formats/manifest/reserved.ts';
import { isRecord } from '../../../../../../formats/record.ts';
import { listSolutionRecords, readConfigurations, readContent, readHeaders } from '../../memory/index.ts';
import { type ApplySession, requestedSecrets, secretTexts } from '../../server/index.ts';
import { isRecordSecret } from './hidden.ts';
import { orReason } from './readable.ts';

/** What the Secrets of namespaces hold. */
export interface KnownSecretTexts {
  readonly texts: Set<string>;
  /** Why the Secrets of a namespace cannot be read, by its name. */
  readonly unread: ReadonlyMap<string, string>;
}

/**
 * Reads what the Secrets of namespaces hold, and those of the generations and renderings that the cluster remembers.
 */
export async function readSecretTexts(namespaces: readonly string[], session: ApplySession): Promise<KnownSecretTexts> {
  const {
    api,
    flow: { signal },
  } = session;
  const texts = new Set<string>();
  const unread = new Map<string, string>();
  const resource = (await api.discover(signal)).find('v1', 'Secret');
  for (const namespace of namespaces) {
    const found = await orReason(signal, async () => (resource ? api.list(resource, { namespace }, signal) : []));
    if ('missing' in found) unread.set(namespace, found.missing);
    else for (const one of found.value) if (!isRecordSecret(one)) for (const text of secretTexts(one)) texts.add(text);
  }
  if (!unread.has(RESERVED_NAMESPACE)) for await (const text of rememberedTexts(session)) texts.add(text);
  // Names that the cluster gives to all are no secrets, although tokens of service accounts come with them.
  for (const name of namespaces) texts.delete(name);
  return { texts, unread };
}

async function* rememberedTexts(session: ApplySession): AsyncIterable<string> {
  const { signal } = session.flow;
  const configurations = await orReason(signal, () => readConfigurations(session));
  for (const configuration of 'value' in configurations ? configurations.value : []) {
    for (const { number } of await readHeaders(configuration, session)) {
      const solutions = (await readContent(configuration, number, session)) ?? [];
      yield* requestedSecrets({ configuration, solutions });
    }
  }
  for (const { bytes } of await listSolutionRecords('rendered', session)) yield* textsWithin(parsed(bytes));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** Lists what Secrets hold that stand anywhere in a value. */
function textsWithin(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsWithin);
  if (!isRecord(value)) return [];
  if (value['kind'] === 'Secret') return secretTexts(value as unknown as KubernetesObject);
  return Object.values(value).flatMap(textsWithin);
}
