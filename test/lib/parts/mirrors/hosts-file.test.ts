import { parse } from '@iarna/toml';
import { describe, expect, test } from 'vitest';
import {
  endpointOf,
  hostsFile,
  isOwnHostsFile,
  leadsTo,
  usersOf,
  withUsers,
} from '../../../../lib/parts/mirrors/hosts-file.ts';

const plain = endpointOf('http://127.0.0.1:5000');
const prefixed = endpointOf('https://registry.local/edge/');

describe('a hosts.toml', () => {
  test('names the registry as the one host, and as the server that is asked last', () => {
    expect(parse(hostsFile([plain], ['edge']))).toEqual({
      server: 'http://127.0.0.1:5000',
      capabilities: ['pull', 'resolve'],
      host: { 'http://127.0.0.1:5000': { capabilities: ['pull', 'resolve'] } },
    });
  });

  test('puts the path of a registry behind the version of the API, and says that it is all', () => {
    const settings = { capabilities: ['pull', 'resolve'], override_path: true };
    const url = 'https://registry.local/v2/edge';
    expect(parse(hostsFile([prefixed], ['edge']))).toEqual({ server: url, ...settings, host: { [url]: settings } });
  });

  test('is known again, unless anything of it was edited', () => {
    const text = hostsFile([prefixed], ['edge']);
    expect(isOwnHostsFile(text)).toBe(true);
    expect(isOwnHostsFile(hostsFile([plain], ['edge']))).toBe(true);
    for (const edited of [`${text}\n`, text.replace('pull', 'push'), `\n${text}`, text.slice(0, -1), '', '# Written']) {
      expect(isOwnHostsFile(edited)).toBe(false);
    }
  });

  test('names the configurations that need it, each once and in order, and is the same otherwise', () => {
    const text = hostsFile([plain], ['lobby', 'edge', 'lobby']);
    expect(usersOf(text)).toEqual(['edge', 'lobby']);
    expect(withUsers(text, ['edge'])).toBe(hostsFile([plain], ['edge']));
    expect(parse(text)).toEqual(parse(hostsFile([plain], ['edge'])));
    expect(isOwnHostsFile(text.replace('lobby', 'other'))).toBe(false);
    expect(usersOf('[host."http://127.0.0.1:5000"]')).toEqual([]);
  });

  test.each([
    ['with the same capabilities', '[host."http://127.0.0.1:5000"]\ncapabilities = ["resolve", "pull", "push"]'],
    ['that allows everything', '[host."http://127.0.0.1:5000/"]'],
    ['beside others', '[host."https://a"]\n[host."http://127.0.0.1:5000"]\nskip_verify = true'],
  ])('of somebody else %s leads to the registry', (_, text) => {
    expect(leadsTo(text, plain)).toBe(true);
    expect(leadsTo(text, prefixed)).toBe(false);
  });

  test.each([
    ['for another host', '[host."http://127.0.0.1:5001"]'],
    ['that only resolves', '[host."http://127.0.0.1:5000"]\ncapabilities = ["resolve"]'],
    ['with a path of its own', '[host."http://127.0.0.1:5000"]\noverride_path = true'],
    ['that names it as the server alone', 'server = "http://127.0.0.1:5000"'],
    ['that is no TOML', '[host."http://127.0.0.1:5000"'],
    ['whose hosts are no table', 'host = ["http://127.0.0.1:5000"]'],
    ['whose host is no table', '[host]\n"http://127.0.0.1:5000" = 1'],
    ['that is empty', ''],
  ])('%s does not', (_, text) => {
    expect(leadsTo(text, plain)).toBe(false);
  });
});
