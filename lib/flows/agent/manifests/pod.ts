import {
  ARCHIVES,
  type FilesFrom,
  type ManifestSettings,
  SETTINGS,
  SETTINGS_FOLDER,
  SITE,
  SITE_FOLDER,
  STATE,
} from './settings.ts';

/** The user of solpack's image, who has no name. */
const USER = 65_532;

/**
 * What a container of solpack may do beyond what it is given: nothing (Kubernetes, "Pod Security Standards",
 * restricted).
 */
const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/**
 * Makes what all Pods of solpack have in common; `container` says what else its container has, `hasSite` whether it has
 * files of the site.
 */
export function podSpec(
  account: string,
  { image, args, archives, state }: ManifestSettings,
  container: object = {},
  { hasSite = false }: { readonly hasSite?: boolean } = {},
): Record<string, unknown> {
  return {
    serviceAccountName: account,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'solpack',
        image,
        imagePullPolicy: 'IfNotPresent',
        args,
        env: [{ name: 'TMPDIR', value: '/tmp' }],
        securityContext: containerSecurity,
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
        // What a container says when it ends is the end of its log: the one line of an error.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        ...container,
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'state', mountPath: STATE },
          { name: 'settings', mountPath: SETTINGS_FOLDER, readOnly: true },
          ...(hasSite ? [{ name: 'site', mountPath: SITE_FOLDER, readOnly: true }] : []),
          ...(archives === undefined ? [] : [{ name: 'archives', mountPath: ARCHIVES, readOnly: true }]),
        ],
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: {} },
      { name: 'state', ...(state === undefined ? { emptyDir: {} } : volumeOf(state, false)) },
      { name: 'settings', projected: { sources: mapAndSecret(SETTINGS) } },
      ...(hasSite ? [{ name: 'site', projected: { sources: mapAndSecret(SITE) } }] : []),
      ...(archives === undefined ? [] : [{ name: 'archives', ...volumeOf(archives, true) }]),
    ],
  };
}

/** Names the Pod Security Standard that its Pods keep: folders of nodes are for none but the most open one. */
export function podSecurity({ archives, state }: ManifestSettings): string {
  return [archives, state].some((from) => from !== undefined && 'hostPath' in from) ? 'privileged' : 'restricted';
}

function mapAndSecret(name: string): object[] {
  return [{ configMap: { name, optional: true } }, { secret: { name, optional: true } }];
}

function volumeOf(from: FilesFrom, readOnly: boolean): object {
  if ('hostPath' in from) return { hostPath: { path: from.hostPath, type: 'Directory' } };
  return { persistentVolumeClaim: { claimName: from.claim, ...(readOnly ? { readOnly } : {}) } };
}
