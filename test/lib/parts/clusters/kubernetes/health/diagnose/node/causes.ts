import { claim, definition, job, object, podSpec, shell, storageClass, workload } from './objects.ts';

const nothing = 'absent.example/app:1';
const unserved = 'unserved.example/app:1';

const namespaces = ['shop', 'quota', 'restricted', 'policy', 'webhook', 'leaving'];
const inNamespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
const pods = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const probe = (what: object) => ({ ...what, periodSeconds: 1 });
const closed = { tcpSocket: { port: 9 } };
const volume = (name: string, source: object) => ({ volumes: [{ name, ...source }] });
/** What runs, and answers on port 8080. */
export const serving = shell('echo listening; httpd -f -p 8080');

/** What has to be there before all else. */
export const before = [
  ...namespaces.map((name) => {
    const labels = name === 'restricted' ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : {};
    return object('v1/Namespace', name, { metadata: { labels } });
  }),
  object('v1/ResourceQuota', 'quota/none', { spec: { hard: { pods: '0' } } }),
  object('admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy', 'no-pods', {
    spec: {
      matchConstraints: { resourceRules: [pods], namespaceSelector: inNamespace('policy') },
      validations: [{ expression: 'false', message: 'Pods are not wanted here' }],
    },
  }),
  object('admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding', 'no-pods', {
    spec: { policyName: 'no-pods', validationActions: ['Deny'] },
  }),
  object('admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration', 'absent', {
    webhooks: [
      {
        name: 'absent.a.example',
        clientConfig: { url: 'https://127.0.0.1:9/validate' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        namespaceSelector: inNamespace('webhook'),
        rules: [pods],
      },
    ],
  }),
  storageClass('static', 'kubernetes.io/no-provisioner'),
  storageClass('late', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer'),
  storageClass('driver', 'csi.a.example'),
  definition('widgets'),
];

/** Something that does not become ready: what is to be told of it, and what to do. */
type Case = readonly [title: string, object: Readonly<Record<string, unknown>>, cause: RegExp, hint: RegExp];

/** Everything that does not become ready. */
export const causes: readonly Case[] = [
  [
    'an image that the registry does not have',
    workload('shop/pull-absent', { image: nothing }),
    /^image absent\.example\/app:1 of container app of Pod pull-absent-\S+ cannot be pulled: .*not found$/,
    /\[\[images\]\]/,
  ],
  [
    'an image of a registry that does not run',
    workload('shop/pull-refused', { image: unserved }),
    /cannot be pulled: .*127\.0\.0\.1:5009.*connection refused$/,
    /solpack serve/,
  ],
  [
    'an image that containerd looks for outside',
    workload('shop/pull-outside', { image: 'outside.example/app:1' }),
    /^image outside\.example\/app:1 .* cannot be pulled: .*outside\.example/,
    /--hosts-dir/,
  ],
  [
    'an image that must not be pulled',
    workload('shop/pull-never', { image: nothing, imagePullPolicy: 'Never' }),
    /is not on the node, and its imagePullPolicy is Never$/,
    /IfNotPresent/,
  ],
  [
    'a container that crashes',
    workload('shop/crash', shell('echo starting >&2; echo "no database" >&2; exit 3')),
    /^container app of Pod crash-\S+ ended with exit code 3( \(\d+ restarts?\))?; its log ends: starting \| no database$/,
    /kubectl -n shop logs crash-\S+ -c app/,
  ],
  [
    'an init container that crashes',
    workload(
      'shop/crash-init',
      {},
      { initContainers: podSpec({ name: 'first', ...shell('echo migrating; exit 1') })['containers'] },
    ),
    /^init container first of Pod crash-init-\S+ ended with exit code 1.*; its log ends: migrating$/,
    /kubectl -n shop logs/,
  ],
  [
    'a container that needs too much memory',
    workload('shop/memory', { ...shell('tail /dev/zero'), resources: { limits: { memory: '16Mi' } } }),
    /was killed \(OOMKilled\): it needs more memory than its limit of 16Mi/,
    /raise its memory limit/,
  ],
  [
    'a container that ends although it should not',
    workload('shop/done', shell('echo done')),
    /ended with exit code 0 \(\d+ restarts?\); its log ends: done$/,
    /make it a Job/,
  ],
  [
    'a command that is not in the image',
    workload('shop/command', { command: ['/nope'] }),
    /cannot be started: exec: "\/nope": stat \/nope: no such file or directory$/,
    /correct its command/,
  ],
  [
    'a Secret that is missing',
    workload('shop/secret', { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'db', key: 'p' } } }] }),
    /cannot be configured: secret "db" not found$/,
    /create Secret db in namespace shop/,
  ],
  [
    'a volume whose ConfigMap is missing',
    workload(
      'shop/mount',
      { volumeMounts: [{ name: 'cfg', mountPath: '/cfg' }] },
      volume('cfg', { configMap: { name: 'gone' } }),
    ),
    /does not get its volumes: .*configmap "gone" not found$/,
    /create ConfigMap gone/,
  ],
  [
    'a readiness probe that fails',
    workload('shop/unready', { ...serving, readinessProbe: probe({ httpGet: { port: 8080, path: '/nope' } }) }),
    /runs, but its readiness probe fails: HTTP probe failed with statuscode: 404$/,
    /the answer of the container/,
  ],
  [
    'a startup probe that fails',
    workload('shop/unstarted', { startupProbe: { ...probe(closed), failureThreshold: 1000 } }),
    /runs, but its startup probe fails: .*connection refused$/,
    /correct the probe/,
  ],
  [
    'a liveness probe that kills',
    workload('shop/killed', { livenessProbe: { ...probe(closed), failureThreshold: 1 } }),
    /is killed again and again \(\d+ restarts?\) because its liveness probe fails: .*connection refused$/,
    /give it more time/,
  ],
  [
    'a readiness gate that nobody opens',
    workload('shop/gate', {}, { readinessGates: [{ conditionType: 'a.example/lb' }] }),
    /runs, but its readiness gate a\.example\/lb is closed$/,
    /sets this condition/,
  ],
  [
    'a node that is too small',
    workload('shop/cpu', { resources: { requests: { cpu: '1000' } } }),
    /cannot be placed on a node: 0\/1 nodes are available: 1 Insufficient cpu$/,
    /lower its requests of cpu/,
  ],
  [
    'a node selector that no node has',
    workload('shop/selector', {}, { nodeSelector: { disk: 'ssd' } }),
    /cannot be placed on a node: .*node affinity\/selector$/,
    /label a node/,
  ],
  [
    'a Pod whose claim is missing',
    workload('shop/claimless', {}, volume('data', { persistentVolumeClaim: { claimName: 'gone' } })),
    /persistentvolumeclaim "gone" not found$/,
    /add PersistentVolumeClaim gone/,
  ],
  [
    'a scheduler that does not run',
    workload('shop/unscheduled', {}, { schedulerName: 'nobody' }),
    /waits for scheduler nobody, which has not looked at it$/,
    /schedulerName/,
  ],
  ...['Deployment', 'StatefulSet', 'DaemonSet'].map(
    (kind) =>
      [
        `a quota that is used up for a ${kind}`,
        workload(`quota/${kind.toLowerCase()}`, {}, {}, `apps/v1/${kind}`),
        /^no Pod can be created: quota none is used up \(requested: pods=1, used: pods=0, limited: pods=0\)$/,
        /raise ResourceQuota none in namespace quota/,
      ] as const,
  ),
  [
    'a Pod that violates PodSecurity',
    workload('restricted/root'),
    /^no Pod can be created: it violates PodSecurity "restricted:latest": container "app" must set allowPrivilegeEscalation=false, /,
    /label namespace restricted/,
  ],
  [
    'an admission policy',
    workload('policy/denied'),
    /^no Pod can be created: ValidatingAdmissionPolicy no-pods denies it: Pods are not wanted here$/,
    /change what the policy objects to/,
  ],
  [
    'an admission webhook that does not answer',
    workload('webhook/denied'),
    /^no Pod can be created: admission webhook absent\.a\.example cannot be asked: .*connection refused$/,
    /start the server behind the webhook/,
  ],
  [
    'a ServiceAccount that is missing',
    workload('shop/account', {}, { serviceAccountName: 'nobody' }),
    /^no Pod can be created: ServiceAccount nobody does not exist in namespace shop$/,
    /add ServiceAccount nobody/,
  ],
  [
    'a Job that failed, and keeps its Pod',
    job('shop/migrate', 'Never', shell('echo no such table; exit 4')),
    /^container app of Pod migrate-\S+ ended with exit code 4; its log ends: no such table$/,
    /kubectl -n shop logs migrate-\S+ -c app/,
  ],
  [
    'a Job that failed, and whose Pod is gone',
    job('shop/migrate-again', 'OnFailure', shell('exit 4')),
    /^Job has reached the specified backoff limit, and its Pods are gone with their logs$/,
    /restartPolicy: Never/,
  ],
  [
    'a Pod that restarts nothing, with a container that failed',
    object('v1/Pod', 'shop/once', { spec: podSpec(shell('echo broken; exit 2'), { restartPolicy: 'Never' }) }),
    /^container app ended with exit code 2; its log ends: broken$/,
    /kubectl -n shop logs once -c app/,
  ],
  [
    'a claim without a StorageClass',
    claim('shop/classless'),
    /^no PersistentVolume fits it, and it has no StorageClass that could make one$/,
    /default one/,
  ],
  [
    'a claim of a StorageClass that is missing',
    claim('shop/fast', 'fast'),
    /^its StorageClass fast does not exist$/,
    /add StorageClass fast/,
  ],
  [
    'a claim whose storage driver does not run',
    claim('shop/driver', 'driver'),
    /^it waits for provisioner csi\.a\.example, which makes no volume$/,
    /start the storage driver csi\.a\.example/,
  ],
  [
    'a claim that no volume fits',
    claim('shop/static', 'static'),
    /^no PersistentVolume of StorageClass static fits it, and none is made for it$/,
    /create a PersistentVolume of class static/,
  ],
  [
    'a definition whose names are taken',
    definition('gadgets'),
    /^its names are taken by another CustomResourceDefinition of group a\.example: "WidgetList" is already in use$/,
    /kubectl get crd/,
  ],
  [
    'an APIService without its server',
    object('apiregistration.k8s.io/v1/APIService', 'v1.metrics.example', {
      spec: {
        group: 'metrics.example',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { namespace: 'shop', name: 'metrics' },
      },
    }),
    /\(ServiceNotFound\): service\/metrics in "shop" is not present$/,
    /Service shop\/metrics/,
  ],
  [
    'a load balancer of a class that nobody is in charge of',
    object('v1/Service', 'shop/balanced', {
      spec: { type: 'LoadBalancer', loadBalancerClass: 'a.example/lb', ports: [{ port: 80 }] },
    }),
    /^no load balancer of class a\.example\/lb has given it an address yet$/,
    /controller of class a\.example\/lb run/,
  ],
];
