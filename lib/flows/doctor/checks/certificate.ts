import { X509Certificate } from 'node:crypto';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import { type CertificateTerm, peerCertificate } from '../../../kernel/http/index.ts';
import { kubeconfigTerms } from '../../../parts/clusters/index.ts';
import { date } from '../../../parts/trust/index.ts';
import type { KubernetesDistribution } from '../../setup/index.ts';
import type { DoctorSurroundings, HealthCheck } from '../check.ts';
import { inTime } from '../in-time.ts';
import { registryOf } from '../own-address.ts';
import type { HealthFinding } from '../request.ts';

/** Days before its end from which on a certificate is reported. */
const DAYS = 30;

/** Looks how long the certificates of the cluster and of the registry are good, and the token of the kubeconfig. */
export const certificateCheck: HealthCheck = {
  code: 'certificate',
  purposes: ['install'],
  look: async (surroundings, flow) => {
    const of = await Promise.all([ofCluster(surroundings, flow), ofRegistry(surroundings, flow)]);
    return of.flat();
  },
};

/** How certificates of a cluster are renewed. */
const renewals: Partial<Readonly<Record<KubernetesDistribution, string>>> = {
  kubeadm: 'kubeadm certs renew all',
  k3s: 'systemctl restart k3s',
  rke2: 'systemctl restart rke2-server',
  microshift: 'systemctl restart microshift',
};

async function ofCluster(surroundings: DoctorSurroundings, flow: Flow): Promise<readonly HealthFinding[]> {
  const { machine, request, cluster } = surroundings;
  let path: string;
  let kubeconfigResult: Awaited<ReturnType<typeof kubeconfigTerms>>;
  try {
    const kubeconfig = cluster()?.kubeconfig;
    // The account of a Pod is renewed by kubelet.
    if (kubeconfig === undefined) return [];
    path = kubeconfig;
    kubeconfigResult = await kubeconfigTerms(path);
  } catch (error) {
    // That the kubeconfig is of no use is reported where the API server is asked.
    if (error instanceof SolpackError) return [];
    throw error;
  }
  const hint = renewals[machine.kubernetes.distribution] ?? 'get a new kubeconfig for the cluster';
  const { server, serverName, isProxied, terms } = kubeconfigResult;
  const own = terms.map(({ what, ...term }) => judgedTerm(`${what} of ${path}`, term, request.clock, hint));
  if (server.protocol !== 'https:' || isProxied) return own;
  return [...own, ...(await shown(server, { request, hint, name: serverName }, flow))];
}

async function ofRegistry(surroundings: DoctorSurroundings, flow: Flow): Promise<readonly HealthFinding[]> {
  const { request, said } = surroundings;
  const address = registryOf(said);
  if (address === undefined || !address.startsWith('https:')) return [];
  const url = new URL(address);
  const { certificates, proxy } = await request.registriesBy(said);
  const { ca = [], certificate } = (await certificates?.(url.host)) ?? {};
  const pems = [
    ...ca.map((pem) => ({ what: 'certificate authority', pem })),
    ...(certificate === undefined ? [] : [{ what: 'client certificate', pem: certificate.certificate }]),
  ];
  const hint = `renew it below the folder of certificates, in ${url.host}`;
  const own = pems.map(({ what, pem }) => {
    const { validFromDate: from, validToDate: to } = new X509Certificate(pem);
    return judgedTerm(`${what} for ${url.host}`, { from, to }, request.clock, hint);
  });
  if (proxy?.(url) !== undefined) return own;
  return [...own, ...(await shown(url, { request, hint: 'renew the certificate of that server' }, flow))];
}

/** Looks at the certificate that a server shows; that it does not answer is reported elsewhere. */
function shown(
  url: URL,
  {
    request: { clock },
    hint,
    name,
  }: Pick<DoctorSurroundings, 'request'> & { readonly hint: string; readonly name?: string | undefined },
  flow: Flow,
): Promise<readonly HealthFinding[]> {
  return inTime(url.origin, hint, flow, async ({ signal }) => {
    const term = await peerCertificate(url, signal, name);
    return term === undefined ? [] : [judgedTerm(`certificate of ${url.origin}`, term, clock, hint)];
  });
}

/** Judges a certificate by when it ends. `clock` is in seconds since 1970. */
export function judgedTerm(subject: string, { from, to }: CertificateTerm, clock: number, hint: string): HealthFinding {
  const days = Math.floor((to.getTime() / 1000 - clock) / 86_400);
  const until = date(Math.floor(to.getTime() / 1000));
  if (from.getTime() / 1000 > clock) {
    const message = `is valid from ${date(Math.floor(from.getTime() / 1000))} on, and the clock says ${date(clock)}`;
    return { state: 'fails', subject, message, hint: 'set the clock, if it is wrong: date -u -s TIME' };
  }
  if (to.getTime() / 1000 <= clock) return { state: 'fails', subject, message: `expired at ${until}`, hint };
  if (days < DAYS) return { state: 'warns', subject, message: `expires in ${days} days, at ${until}`, hint };
  return { state: 'ok', subject, message: `is valid until ${until}` };
}
