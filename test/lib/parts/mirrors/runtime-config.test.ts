import { parse } from '@iarna/toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { mirrorText, runtimes } from '../../../../lib/parts/mirrors/runtime-config.ts';

const hosts = ['docker.io', 'localhost:5000', 'quay.io'];
const http = 'http://127.0.0.1:5000';
const https = 'https://registry.example.com:5443';

/** A file that a text of several is made of, by its path. */
function filesOf(lines: readonly string[]): Map<string, string> {
  const files = lines
    .join('\n')
    .split(/^# (?=\/)/m)
    .slice(1);
  return new Map(files.map((file) => [file.slice(0, file.indexOf('\n')), file.slice(file.indexOf('\n') + 1)]));
}

describe('the mirror configuration of', () => {
  test('containerd is a hosts.toml for each registry, and asks nobody else', () => {
    const files = filesOf(mirrorText('containerd', hosts, http).lines);
    expect([...files.keys()]).toEqual(hosts.map((host) => `/etc/containerd/certs.d/${host}/hosts.toml`));
    for (const text of files.values()) {
      const capabilities = ['pull', 'resolve'];
      expect(parse(text)).toEqual({ server: http, capabilities, host: { [http]: { capabilities } } });
    }
  });

  test('podman has the registry in the path, where a port has no colon', () => {
    const [[path, text]] = [...filesOf(mirrorText('podman', hosts, http).lines)] as [[string, string]];
    expect(path).toBe('/etc/containers/registries.conf.d/solpack.conf');
    expect(parse(text)).toEqual({
      registry: [
        { prefix: 'docker.io', location: '127.0.0.1:5000/docker.io', insecure: true },
        { prefix: 'localhost:5000', location: '127.0.0.1:5000/localhost_5000', insecure: true },
        { prefix: 'quay.io', location: '127.0.0.1:5000/quay.io', insecure: true },
      ],
    });
    expect(mirrorText('podman', hosts, https).lines.join()).not.toContain('insecure');
  });

  test('docker has a mirror for docker.io alone, and says so', () => {
    const { lines, notices } = mirrorText('docker', hosts, http);
    expect(JSON.parse(lines.join('\n'))).toEqual({ 'registry-mirrors': [http] });
    expect(notices.join()).toContain('127.0.0.1:5000/localhost_5000/NAME for localhost:5000/NAME');
    expect(notices.join()).not.toContain('for docker.io/NAME');
    const remote = mirrorText('docker', ['quay.io'], 'http://10.0.0.1:5000');
    expect(JSON.parse(remote.lines.join('\n'))).toEqual({ 'insecure-registries': ['10.0.0.1:5000'] });
  });

  test('k3s has an endpoint for each registry', () => {
    const text = mirrorText('k3s', hosts, https).lines.join('\n');
    expect(parseYaml(text)).toEqual({
      mirrors: Object.fromEntries(hosts.map((host) => [host, { endpoint: [https] }])),
    });
  });

  test.each(runtimes)('%s can be reported where nothing is served', (runtime) => {
    expect(() => mirrorText(runtime, [], http)).not.toThrow();
  });
});
