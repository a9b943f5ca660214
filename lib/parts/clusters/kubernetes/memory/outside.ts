import { installedOperators } from '../../../../../formats/bundle/installed-operators.ts';
import { readStoredRelease, storedReleaseLimits } from '../../../../../formats/chart/stored-release.ts';
import type { OutsideInstall } from '../../../../../formats/resolve/outside.ts';
import { pool } from '../../../../kernel/events/index.ts';
import type { OutsideInstalls } from '../../kind.ts';
import { ApiError, type ApplySession, type LiveObject } from '../server/index.ts';

/** The group of OLM's objects. */
const OLM = 'operators.coreos.com';

/** Labels that Helm puts on the Secret of the revision of a release that is there. */
const DEPLOYED = 'owner=helm,status=deployed';

/** The type of such a Secret. */
const RELEASE = 'helm.sh/release.v1';

/** Most releases that are read. */
const MOST = 1000;

/**
 * Reads what others have installed by OLM and by Helm, in all namespaces. Nothing of the Secrets of Helm is kept except
 * for the name and the versions of the chart. What this user may not read is left out, and said.
 */
export async function readOutside(session: ApplySession): Promise<OutsideInstalls> {
  const unread: string[] = [];
  const allowed = async <T>(what: string, otherwise: T, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      session.flow.signal.throwIfAborted();
      if (!(error instanceof ApiError) || error.status !== 403) throw error;
      unread.push(`${what} may not be read, so ${what} do not count: ${error.message}`);
      return otherwise;
    }
  };
  const operators = await allowed('operators of OLM', [], () => readOperators(session));
  const releases = await allowed('releases of Helm', [], () => readReleases(session, unread));
  return { installs: [...operators, ...releases], unread };
}

async function readOperators({ api, flow: { signal } }: ApplySession): Promise<OutsideInstall[]> {
  const { preferred } = await api.discover(signal);
  const listed = async (kind: string): Promise<readonly LiveObject[]> => {
    const resource = preferred(OLM, kind);
    return resource === undefined ? [] : api.list(resource, {}, signal);
  };
  const versions = await listed('ClusterServiceVersion');
  if (versions.length === 0) return [];
  return installedOperators(versions, await listed('Subscription')).map(
    ({ namespace, name, packageName, version }): OutsideInstall => ({
      kind: 'ClusterServiceVersion',
      namespace,
      name,
      offers: { [packageName]: version },
    }),
  );
}

async function readReleases({ api, flow: { signal } }: ApplySession, unread: string[]): Promise<OutsideInstall[]> {
  const secrets = (await api.discover(signal)).find('v1', 'Secret');
  if (secrets === undefined) return [];
  const filter = { labels: DEPLOYED, fields: `type=${RELEASE}`, metadata: true, atMost: MOST } as const;
  const listed = await api.list(secrets, filter, signal);
  const found: (OutsideInstall | undefined)[] = listed.map(() => undefined);
  const allowance = { bytes: storedReleaseLimits.all };
  await pool([...listed.entries()], { signal }, async ([at, { metadata }], within) => {
    const { name, namespace, labels = {} } = metadata;
    const release = labels['name'] ?? name;
    const secret = await api.read({ apiVersion: 'v1', kind: 'Secret', name, namespace }, within);
    const stored = (secret?.['data'] as Readonly<Record<string, unknown>> | undefined)?.['release'];
    if (typeof stored !== 'string') return;
    try {
      const { chart, version, appVersion } = readStoredRelease(
        Buffer.from(stored, 'base64').toString('latin1'),
        allowance,
      );
      const own = appVersion ?? version;
      const offers = {
        ...(own === undefined ? {} : { [chart]: own }),
        ...(version === undefined ? {} : { [`helm/${chart}`]: version }),
      };
      found[at] = { kind: 'Helm release', namespace: namespace!, name: release, offers };
    } catch (error) {
      unread.push(`the Helm release ${namespace}/${release} does not count: ${(error as Error).message}`);
    }
  });
  return found.filter((one) => one !== undefined);
}
