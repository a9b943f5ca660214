import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { podKubeconfig } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/pod-account.ts';
import { apiServer, authority, send, signedBy, status, timings } from '../../../../../../support/apiserver.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { judged, scratch } from '../../../../../../support/judges.ts';

const folder = scratch('pod-account');

describe('the account of a Pod', () => {
  judged('is its token and its authority, and a token that kubelet wrote anew is taken up', ['openssl'], async () => {
    const signer = await authority(folder, 'ca');
    const own = await signedBy(signer, folder, 'server');
    const tls = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
    let good = 'first';
    const { url, seen } = await apiServer(({ headers }, response) => {
      if (headers.authorization !== `Bearer ${good}`) return send(response, 401, status(401, 'Unauthorized', 'no'));
      return { kind: 'APIGroupDiscoveryList', items: [] };
    }, tls);
    const account = join(folder, 'account');
    mkdirSync(account);
    writeFileSync(join(account, 'ca.crt'), readFileSync(signer.cert));
    writeFileSync(join(account, 'token'), 'first\n');
    const { hostname: host, port } = new URL(url);
    const flow = testFlow();
    const api = await connect({ host, port, folder: account }, flow, timings);
    await api.discover(flow.signal);
    good = 'second';
    writeFileSync(join(account, 'token'), 'second\n');
    await api.discover(flow.signal, true);
    await api.close();
    expect(seen.map(({ headers }) => headers.authorization).at(-1)).toBe('Bearer second');
  });

  test('has an address of either kind, and is refused by one that is none', () => {
    const at = (host: string, port = '443'): string => podKubeconfig({ host, port, folder: '/a' }).server.href;
    expect([at('10.96.0.1'), at('fd00::1', '6443')]).toEqual(['https://10.96.0.1/', 'https://[fd00::1]:6443/']);
    expect(() => at('10.96.0.1', 'none')).toThrow(
      expect.objectContaining({ code: 'kubeconfig-invalid', hint: 'give --kubeconfig' }),
    );
  });
});
