import { z } from '../../../../../../formats/schema.ts';
import type { Resource } from '../api.ts';

/** A group as a server lists it. */
export interface Group {
  /** '' is the core group. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly GroupVersion[];
}

/** A version of a group. */
export interface GroupVersion {
  readonly version: string;
  /** Undefined where the document does not say: it has to be asked for. */
  readonly resources: readonly Resource[] | undefined;
  /** Whether the server that stands behind it does not answer, so that its resources are not known. */
  readonly stale: boolean;
}

/** Asks for aggregated discovery (KEP-3352), and takes what servers before 1.26 have. */
export const DISCOVERY = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

const verbs = z.array(z.string()).nullish();

const aggregated = z.looseObject({
  kind: z.literal('APIGroupDiscoveryList'),
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string().nullish() }).nullish(),
      versions: z
        .array(
          z.looseObject({
            version: z.string(),
            freshness: z.string().nullish(),
            resources: z
              .array(
                z.looseObject({
                  resource: z.string(),
                  responseKind: z.looseObject({ kind: z.string() }).nullish(),
                  scope: z.string(),
                  verbs,
                }),
              )
              .nullish(),
          }),
        )
        .nullish(),
    }),
  ),
});

const core = z.looseObject({ kind: z.literal('APIVersions'), versions: z.array(z.string()) });

const named = z.looseObject({ version: z.string() });
const groupList = z.looseObject({
  kind: z.literal('APIGroupList'),
  groups: z.array(z.looseObject({ name: z.string(), versions: z.array(named), preferredVersion: named.nullish() })),
});

const resourceList = z.looseObject({
  resources: z.array(z.looseObject({ name: z.string(), kind: z.string(), namespaced: z.boolean(), verbs })).nullish(),
});

/** Returns the groups of `/api` or `/apis`, in either form; undefined where it is neither. */
export function apiGroupsOf(value: unknown): readonly Group[] | undefined {
  const whole = aggregated.safeParse(value).data;
  if (whole) return whole.items.map(aggregatedGroup);
  const versions = core.safeParse(value).data?.versions;
  if (versions) return [{ name: '', versions: versions.map(unread) }];
  return groupList.safeParse(value).data?.groups.map(({ name, versions, preferredVersion }) => {
    const first = preferredVersion ? [preferredVersion.version] : [];
    return { name, versions: [...new Set([...first, ...versions.map(({ version }) => version)])].map(unread) };
  });
}

/**
 * Returns the resources of a version of a group (`APIResourceList`), without subresources; undefined where it is none.
 */
export function resourcesOf(value: unknown, group: string, version: string): readonly Resource[] | undefined {
  const list = resourceList.safeParse(value).data;
  return list?.resources
    ?.filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      group,
      version,
      kind,
      plural: name,
      namespaced,
      verbs: verbs ?? [],
    }));
}

function unread(version: string): GroupVersion {
  return { version, resources: undefined, stale: false };
}

function aggregatedGroup({ metadata, versions }: z.infer<typeof aggregated>['items'][number]): Group {
  const group = metadata?.name ?? '';
  return {
    name: group,
    versions: (versions ?? []).map(({ version, freshness, resources }) => ({
      version,
      stale: freshness === 'Stale',
      resources: (resources ?? []).flatMap(({ resource, responseKind, scope, verbs }) => {
        // What has only subresources has no kind of its own.
        if (!responseKind) return [];
        const namespaced = scope === 'Namespaced';
        return [{ group, version, kind: responseKind.kind, plural: resource, namespaced, verbs: verbs ?? [] }];
      }),
    })),
  };
}
